"""The model of Sobol points against SciPy and against exact properties, and the files that were made of it."""

import unittest

import sobol
from stream import Stream

try:
    import numpy
    from scipy.stats import qmc
except ImportError:
    qmc = None


class Files(unittest.TestCase):
    def test_the_file_is_what_the_model_gives(self):
        self.assertEqual(sobol.FILE.read_text(), sobol.text())


class Properties(unittest.TestCase):
    def test_known_points(self):
        """The first points of two dimensions in Gray code order, as Joe and Kuo's notes have them."""
        v = sobol.directions(2)
        points = [tuple(sobol.f64(sobol.point(v[j], i)) for j in range(2)) for i in range(6)]
        self.assertEqual(points, [(0, 0), (0.5, 0.5), (0.75, 0.25), (0.25, 0.75), (0.375, 0.375), (0.875, 0.875)])

    def test_scrambling_keeps_every_cell(self):
        """Of 2^k points each cell of width 2^-k has one, in each dimension."""
        v = sobol.directions(20)
        for j in 0, 7, 19:
            fractions = [sobol.scrambled(Stream.from_seed(5), j, sobol.point(v[j], i)) for i in range(128)]
            for k in range(8):
                self.assertEqual(sorted(y >> 64 - k for y in fractions[: 1 << k]), list(range(1 << k)))


@unittest.skipIf(qmc is None, "SciPy is not installed")
class SciPy(unittest.TestCase):
    def test_points_of_all_dimensions(self):
        expected = qmc.Sobol(sobol.DIMENSIONS, scramble=False, bits=53).random(64)
        v = sobol.directions(sobol.DIMENSIONS)
        points = [[sobol.f64(sobol.point(v[j], i)) for j in range(sobol.DIMENSIONS)] for i in range(64)]
        self.assertTrue((numpy.array(points) == expected).all())

    def test_direction_numbers_of_all_dimensions(self):
        """SciPy has no way to points near 2^63 but through all before them, so its table is compared."""
        table = qmc.Sobol(sobol.DIMENSIONS, scramble=False, bits=64)._sv
        expected = numpy.array(sobol.directions(sobol.DIMENSIONS), dtype=numpy.uint64)
        self.assertTrue((table[:, : sobol.BITS] == expected).all())

    def test_a_long_run(self):
        expected = qmc.Sobol(40, scramble=False, bits=30).random(1 << 12)
        v = sobol.directions(40)
        points = [[sobol.f64(sobol.point(v[j], i)) for j in range(40)] for i in range(1 << 12)]
        self.assertTrue((numpy.array(points) == expected).all())


if __name__ == "__main__":
    unittest.main()
