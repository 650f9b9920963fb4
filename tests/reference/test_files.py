"""The files that make_goldens writes, in full: half a minute. test_maps has a sample of their rows."""

import unittest

import make_goldens


class Files(unittest.TestCase):
    def test_files_are_what_the_model_gives(self):
        for path, text in make_goldens.outputs().items():
            self.assertEqual(path.read_text(), text, path)


if __name__ == "__main__":
    unittest.main()
