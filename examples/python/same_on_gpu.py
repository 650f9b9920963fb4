"""An unmodified torch program whose random numbers are the same on the CPU and on a GPU.

    python examples/python/same_on_gpu.py            on the CPU
    python examples/python/same_on_gpu.py cuda       on a GPU: the same digests

It builds a small transformer, shuffles its data, augments them, drops elements out, and prints a digest of each kind of random number. Then
it trains for a few steps: the losses of two devices are near each other and not equal, since products of matrices have an order of sums of
their own on each device. Without reproducible() each line is different on a GPU, although the seed is the same."""

import hashlib
import sys

import librng.torch
import torch
import torch.nn as nn

DIGESTS = {  # on a CPU, of torch 2.11.0 to 2.15.0
    "initial weights": "3de88ca02a3300ad",
    "order of the data": "18f3b1ac80478ed6",
    "augmented images": "f3e3e2cca658a681",
    "mask of dropout": "e1d9f6a568f86f3a",
    "a million normal numbers": "7389cb915aee7ed0",
}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(1, 32, 4, stride=4)
        self.places = nn.Parameter(nn.init.trunc_normal_(torch.empty(16, 32), std=0.02))
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(32, 4)

    def forward(self, images):
        tokens = self.patches(images).flatten(2).transpose(1, 2) + self.places
        return self.head(self.layers(tokens).mean(1))


def augmented(images):
    """Crops, mirrors and noise, each image by numbers of its own."""
    top, left = torch.randint(0, 5, (2, len(images)), device=images.device)
    rows = top[:, None] + torch.arange(16, device=images.device)
    columns = left[:, None] + torch.arange(16, device=images.device)
    crops = images[torch.arange(len(images), device=images.device)[:, None, None], 0, rows[:, :, None], columns[:, None, :]]
    mirrored = torch.where(torch.rand(len(images), 1, 1, device=images.device) < 0.5, crops, crops.flip(2))
    return (mirrored + torch.randint(-8, 9, mirrored.shape, device=images.device) / 256)[:, None]


def digest(*tensors):
    return hashlib.sha256(b"".join(t.detach().cpu().numpy().tobytes() for t in tensors)).hexdigest()[:16]


def main(device):
    with librng.torch.reproducible(42):
        model = Classifier().to(device)
        images = torch.rand(64, 1, 20, 20, device=device)
        labels = torch.randint(4, (64,), device=device)
        loader = torch.utils.data.DataLoader(range(64), batch_size=16, shuffle=True)
        order = torch.tensor([item for batch in loader for item in batch.tolist()])
        batch = augmented(images)
        mask = nn.functional.dropout(torch.ones(1000, device=device), 0.1)
        found = {
            "initial weights": digest(*model.parameters()),
            "order of the data": digest(order),
            "augmented images": digest(batch),
            "mask of dropout": digest(mask),
            "a million normal numbers": digest(torch.randn(1_000_000, device=device)),
        }
        steps = torch.optim.AdamW(model.parameters(), lr=1e-3)
        losses = []
        for _ in range(5):
            loss = nn.functional.cross_entropy(model(augmented(images)), labels)
            steps.zero_grad()
            loss.backward()
            steps.step()
            losses.append(loss.item())

    print(f"torch {torch.__version__}, {torch.cuda.get_device_name() if device == 'cuda' else 'CPU'}, seed 42")
    for name, value in found.items():
        print(f"{name:26}{value}  {'as recorded' if value == DIGESTS[name] else 'NOT AS RECORDED: ' + DIGESTS[name]}")
    print("losses of five steps      ", *(f"{loss:.6f}" for loss in losses))
    return found == DIGESTS


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:] or ["cpu"]))
