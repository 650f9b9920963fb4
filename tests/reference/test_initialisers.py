"""The file of initial weights is what the model gives."""

import unittest

import initialisers


class Files(unittest.TestCase):
    def test_the_file_is_what_the_model_gives(self):
        self.assertEqual(initialisers.FILE.read_text(), initialisers.text())


if __name__ == "__main__":
    unittest.main()
