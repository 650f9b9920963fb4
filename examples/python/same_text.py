"""A small language model that writes the same text on the CPU and on a GPU.

    python examples/python/same_text.py              on the CPU
    python examples/python/same_text.py cuda         on a GPU: the same text

The model counts which letter follows four others, in any text: its weights are whole numbers, which every device has exactly, so that
only the drawing of letters could differ. torch.multinomial alone draws other letters on a GPU. For a neural network, whose logits
differ in their last bits between devices, the text is the same as long as no draw falls between two such logits."""

import argparse
import hashlib
import pathlib

import librng.torch
import torch

TEXT = pathlib.Path(__file__).resolve().parents[2] / "LICENSE"
ORDER = 4


def model_of(text, device):
    """The letters, the number of each context, and a row of counts for each context."""
    letters = sorted(set(text))
    contexts = {context: k for k, context in enumerate(sorted({text[i : i + ORDER] for i in range(len(text) - ORDER)}))}
    counts = torch.zeros(len(contexts), len(letters))
    for i in range(len(text) - ORDER):
        counts[contexts[text[i : i + ORDER]], letters.index(text[i + ORDER])] += 1
    return letters, contexts, counts.square().to(device)  # squares: a temperature of 1/2


def written(letters, contexts, weights, begin, length):
    """Texts that continue `begin`, a batch of one letter for each at a time."""
    texts = list(begin)
    for _ in range(length):
        rows = torch.tensor([contexts[text[-ORDER:]] for text in texts], device=weights.device)
        for k, letter in enumerate(torch.multinomial(weights[rows], 1).flatten().tolist()):
            texts[k] += letters[letter]
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("device", nargs="?", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--text", type=pathlib.Path, default=TEXT, help="a text to learn from (default: LICENSE)")
    parser.add_argument("--seed", type=int, default=42)
    options = parser.parse_args()
    text = " ".join(options.text.read_text().split())
    with librng.torch.reproducible(options.seed):
        texts = written(*model_of(text + text[:ORDER], options.device), [text[i : i + ORDER] for i in (0, 4000, 9000)], 200)
    print("\n\n".join(texts))
    print("\ndigest", hashlib.sha256("".join(texts).encode()).hexdigest()[:16])


if __name__ == "__main__":
    main()
