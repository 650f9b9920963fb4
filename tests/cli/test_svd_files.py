"""What rng svd says to files that are damaged, cut short, or no matrices: one line, and nothing is written."""

import errno
import gzip
import json
import os
import pty
import resource
import unittest

from cli import start
from matrices import SvdCase, market, npy_file, product


class BadFiles(SvdCase):
    def complains(self, message, data, *more):
        path, folder = self.file(data), self.folder()
        self.refuses(f"rng svd: {path}: {message}", "svd", path, "-o", os.path.join(folder, "x"), *more)
        self.assertEqual(os.listdir(folder), [])

    def test_no_matrix(self):
        neither = "is neither a NumPy file (.npy) nor a Matrix Market file (.mtx)"
        for data in (b"\x93", b"\x93NUMP", b"%%MatrixMarke", b"%MatrixMarket matrix", b"PK\x03\x04", b"\0" * 100, b"\n"):
            self.complains(neither, data)
        self.complains("is empty", b"")
        folder = self.folder()
        missing, pipe = os.path.join(folder, "no"), os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        self.refuses(f"rng svd: {missing}: cannot be opened: {os.strerror(errno.ENOENT)}", "svd", missing)
        for path in (folder, pipe, "/dev/null", "/dev/zero"):
            self.refuses(f"rng svd: {path}: must be a regular file, or - for standard input", "svd", path)
        for data in (b"\x1f\x8b", gzip.compress(npy_file([[1]]))):
            self.complains("is compressed with gzip, which gzip -dc undoes: gzip -dc A.mtx.gz | rng svd -", data)

    def test_npy_cut_anywhere(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            data = npy_file(product(3, 2), version=version)
            self.ok("svd", self.file(data))
            start_of_data = len(data) - 48
            for size in range(6, len(data), 1 if version == (1, 0) else 3):
                self.complains("ends inside its header" if size < start_of_data else
                               f"is cut short: 3 x 2 of <f8 are 48 bytes, after its header it has {size - start_of_data}", data[:size])
            self.complains("goes on after its data: 3 x 2 of <f8 are 48 bytes, after its header it has 49", data + b"\0")

    def test_npy_headers(self):
        def header(text):
            return npy_file(product(3, 2), header=text)
        good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2)}"
        self.ok("svd", self.file(header(good)))
        for version in ((0, 0), (4, 0), (1, 1)):
            self.complains("must have NumPy format 1.0, 2.0 or 3.0, got {}.{}".format(*version), npy_file([[1]], version=version))
        damaged = "has a damaged header: it must have "
        for text, message in (
                (good[:-1], "a ',' where it has its end"), (good[1:], "a '{' where it has '''"), (good + "x", "nothing after the '}'"),
                ("{}", "descr, fortran_order and shape"), (good.replace("'shape': (3, 2)", ""), "descr, fortran_order and shape"),
                (good.replace("shape", "shapes"), "descr, fortran_order and shape once each, found 'shapes'"),
                (good.replace("'shape': (3, 2)", "'descr': '<f8'"), "descr, fortran_order and shape once each, found 'descr'"),
                (good.replace("False", "0"), "True or False where it has '0'"), (good.replace("'<f8'", "8"), "a type in quotes where it has '8'"),
                (good.replace("(3, 2)", "[3, 2]"), "a '(' where it has '['"), (good.replace("(3, 2)", "(3 2)"), "a ',' where it has '2'"),
                (good.replace("3", "-3"), "sizes below 2^64 where it has '-'"), (good.replace("3", "18446744073709551616"), "sizes below 2^64 where it has '1'"),
                (good.replace("'descr':", "'descr'"), "a ':' where it has '''"), (good.replace("'fortran", "fortran"), "a key in quotes where it has 'f'"),
                (good.replace("'<f8'", "'<f8"), "a ',' where it has 'f'")):
            self.complains(damaged + message, header(text))

    def test_npy_types_and_shapes(self):
        types = "must be of type f2, f4, f8, c8, c16, b1, i1, i2, i4, i8, u1, u2, u4 or u8"
        self.complains("must have a bool of 0 or 1 as element 3, got 2", npy_file([[0, 1], [1, 2]], "|b1"))
        for descr in ("<i3", "<u16", "|b2", "<f16", "<c32", "<M8[s]", "<U5", "|V2", "|O", "f8", "8", "!f8", "<", "<f88"):
            self.complains(f"{types}, got {descr}", npy_file([[1]], descr))
        self.complains(f"{types}, got nothing", npy_file([[1]], header="{'descr': '', 'fortran_order': False, 'shape': (1, 1)}"))
        self.complains("must be of one type, got records",
                       npy_file([[1]], header="{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (1, 1)}"))
        for shape, dimensions in (("()", 0), ("(6,)", 1), ("(1, 2, 3)", 3)):
            self.complains(f"must have two dimensions, got {dimensions}", npy_file(product(3, 2), shape=shape))

    def test_npy_claims(self):
        # Nothing of this size is allocated: the file holds 48 bytes.
        self.complains("is cut short: 1099511627776 x 1024 of <f8 are 9007199254740992 bytes, after its header it has 48",
                       npy_file(product(3, 2), shape="(1099511627776, 1024)"))
        self.complains("has a shape beyond 2^64 bytes", npy_file(product(3, 2), shape="(4294967296, 4294967296)"))
        self.complains("has a shape beyond 2^64 bytes", npy_file(product(3, 2), shape=f"({2**64 - 1}, 1)"))
        self.complains("goes on after its data: 18446744073709551615 x 0 of <f8 are 0 bytes, after its header it has 48",
                       npy_file(product(3, 2), shape=f"({2**64 - 1}, 0)"))
        self.complains("ends inside its header", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + 100 * b" ")

    def test_values_that_are_no_numbers(self):
        for bad, name in ((float("nan"), "NaN"), (float("inf"), "infinity"), (float("-inf"), "-infinity")):
            for kind in ("f2", "f4", "f8"):
                matrix = product(5, 3)
                matrix[2][1] = bad
                for fortran in (False, True):
                    self.complains(f"svd_lowrank: A must be finite, got {name} at (2, 1)", npy_file(matrix, "<" + kind, fortran))
                self.complains(f"pca_lowrank: A must be finite, got {name} at (2, 1)", npy_file(matrix, "<" + kind), "--center")
            for kind in ("c8", "c16"):
                matrix = product(5, 3, imaginary=1)
                matrix[2][1] = complex(1, bad)
                self.complains(f"svd_lowrank: A must be finite, got {name} at (2, 1)", npy_file(matrix, ">" + kind))
        for bad in ("nan", "inf", "-Infinity"):
            self.complains(f"line 4: a value must be finite, got {bad}", market("array real general", "1 2", 1, bad))
        for bad in ("1e999", "-1e309", "1e-999"):
            self.complains(f"line 3: a value must fit in f64, got {bad}", market("coordinate real general", "1 2 1", f"1 1 {bad}"))

    def test_market_cut_anywhere(self):
        for data in (market("array real general", "% c", "2 2", 1, 2.5, -3, 42), market("coordinate real symmetric", "2 2 2", "1 1 15", "2 1 1e2"),
                     market("coordinate complex hermitian", "2 2 2", "1 1 15 0", "2 1 12 34"), market("coordinate pattern general", "9 9 2", "1 1", "9 8")):
            self.ok("svd", self.file(data))
            for size in range(14, len(data)):
                path = self.file(data[:size])
                self.assertRegex(self.fails(2, "svd", path), f"^rng svd: {path}: ")
        open_end = "is cut short: it must end with a line break, or its last number might lack digits"
        self.complains(open_end, market("array real general", "1 1", 25)[:-1])
        self.complains(open_end, b"%%MatrixMarket matrix array real general")
        self.complains("line 1: the file ends before its sizes", market("array real general"))
        self.complains("line 3: the file ends after 1 of 2 entries", market("array real general", "1 2", 100))
        self.complains("line 3: the file ends after 1 of 2 entries", market("coordinate real general", "2 2 2", "1 1 1000000"))

    def test_market_banners(self):
        def banner(text):
            return f"%%MatrixMarket{text}\n1 1\n1\n".encode()
        form = "line 1: must be %%MatrixMarket matrix FORMAT FIELD SYMMETRY"
        for text in ("", " matrix array real", " matrix array real general x", "matrix array real general"):
            self.complains(form, banner(text))
        self.complains("line 1: it must be %%matrixmarket, got %%MatrixMarkets", banner("s matrix array real general"))
        self.complains("line 1: the object must be matrix, got vector", banner(" vector array real general"))
        self.complains("line 1: the format must be array or coordinate, got dense", banner(" matrix dense real general"))
        self.complains("line 1: the field must be real or integer or complex or pattern, got double", banner(" matrix array double general"))
        self.complains("line 1: the symmetry must be general or symmetric or skew-symmetric or hermitian, got diagonal",
                       banner(" matrix array real diagonal"))
        self.complains("line 1: the field must be real or integer or complex or pattern, got " + 40 * "x" + "...",
                       banner(" matrix array " + 4000 * "x" + " general"))
        self.complains("line 1: an array has values: it cannot be pattern", banner(" matrix array pattern general"))
        self.complains("line 1: a pattern has no signs: it cannot be skew-symmetric", banner(" matrix coordinate pattern skew-symmetric"))
        self.complains("line 1: only complex matrices are hermitian: a real one is symmetric", banner(" matrix array real hermitian"))

    def test_market_sizes(self):
        most = 2**63 - 1
        for bad in ("-1", "1.5", "x", "9223372036854775808", "0x2"):
            self.complains(f"line 2: the rows must be a whole number in [0, {most}], got {bad}", market("array real general", f"{bad} 2", 1))
            self.complains(f"line 2: the columns must be a whole number in [0, {most}], got {bad}", market("array real general", f"2 {bad}", 1))
            self.complains(f"line 2: the number of entries must be a whole number in [0, {most}], got {bad}",
                           market("coordinate real general", f"2 2 {bad}", "1 1 1"))
        self.complains("line 2: must be ROWS COLUMNS", market("array real general", "2 2 4", 1))
        self.complains("line 3: must be ROWS COLUMNS ENTRIES", market("coordinate real general", "%", "2 2", "1 1 1"))
        for symmetry in ("symmetric", "skew-symmetric", "hermitian"):
            self.complains("line 2: a matrix with a symmetry must be square, got 2 x 3", market(f"array complex {symmetry}", "2 3"))

    def test_market_claims(self):
        self.complains("is cut short: it claims 1.00 E entries and has 6 bytes for them",
                       market("coordinate real general", "9 9 1000000000000000000", "1 1 1"))
        self.complains("is cut short: it claims 1.00 M entries and has 2 bytes for them", market("array real general", "1000 1000", 1))
        self.complains("is cut short: it claims 500 k entries and has 2 bytes for them", market("array real symmetric", "1000 1000", 1))
        # A sparse matrix may have empty rows, but not more than there is memory for. With 10^15 rows and q = 1 in f64, in
        # units of 10^15 bytes:
        # - X has one value a row: 8,
        # - sorting takes two offsets a row: 16,
        # - U, and U as written: 16,
        # - the matrix's own offsets, which a long column has not: 8.
        # The sums are 48 10^15 / 2^50 = 42.63, and 40 10^15 / 2^50 = 35.53.
        message = self.fails(2, "svd", self.file(market("coordinate real general", "1000000000000000 3 1", "1 1 1")), "-q", 1)
        self.assertRegex(message, r": needs at least 42\.6 PiB of memory, this machine has ")
        message = self.fails(2, "svd", self.file(market("coordinate real general", "3 1000000000000000 1", "1 1 1")), "-q", 1)
        self.assertRegex(message, r": needs at least 35\.5 PiB of memory, this machine has ")

    def test_shapes_that_no_memory_holds(self):
        """Answered or refused before memory is taken, however large the machine."""
        huge, most = 9 * 10**18, 200 * 2**20
        for banner in ("array real general", "array complex general"):
            for rows, cols in ((0, huge), (huge, 0)):
                self.answers_small(market(banner, f"{rows} {cols}"), 0, most)
        for rows, cols in ((10**9, 0), (0, 10**9), (huge, 0), (0, huge)):
            self.answers_small(market("coordinate real general", f"{rows} {cols} 0"), 0, most)
        for n in (5 * 10**14, huge):
            for more in ((), ("-q", 1), ("--center",), ("--dtype", "f32")):
                self.answers_small(market("coordinate real general", f"{n} {n} 1", "1 1 1"), 2, most, *more)
            for more in ((), ("--center",)):  # where nothing is asked for, the matrix is sorted all the same
                self.answers_small(market("coordinate real general", f"3 {n} 1", "1 1 1"), 2, most, "-q", 0, *more)

    def answers_small(self, data, code, most, *more):
        """The exit code, and no more memory than `most` bytes: a limit that only a program of that size meets."""
        path = self.file(data)
        child = start("svd", path, *more, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20)))
        with child.stdout, child.stderr:
            stdout, stderr = child.stdout.read().decode(), child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, code, (data[:80], stderr))
        self.assertIn("memory, this machine has" if code else "singular values", stderr if code else stdout)
        self.assertLess(usage.ru_maxrss * 1024, most)

    def test_market_entries(self):
        def entry(*lines, banner="coordinate real general", sizes="3 2"):
            return market(banner, f"{sizes} {len(lines)}", *lines)
        for bad in ("0", "4", "-1", "1.0", "x"):
            self.complains(f"line 3: the row must be a whole number in [1, 3], got {bad}", entry(f"{bad} 1 1"))
        self.complains("line 4: the column must be a whole number in [1, 2], got 3", entry("1 1 1", "1 3 1"))
        self.complains("gives row 3, column 2 more than once", entry("3 2 1", "1 1 1", "3 2 1"))
        self.complains("line 5: the file goes on after its 2 entries", entry("3 2 1", "1 1 1") + b"2 2 2\n")
        self.complains("line 4: the file goes on after its 1 entries", market("array real general", "1 1", 1, 2))
        self.complains("line 3: must be ROW COLUMN VALUE", entry("1 1", "2 2 2 2 2 2 2 2"))
        self.complains("line 3: must be ROW COLUMN VALUE", entry("1 1 1 1"))
        self.complains("line 3: must be ROW COLUMN", entry("1 1 1", banner="coordinate pattern general"))
        self.complains("line 3: must be ROW COLUMN REAL IMAGINARY", entry("1 1 1", "1 1 1 1 1 1", banner="coordinate complex general"))
        self.complains("line 3: must be one number", market("array real general", "2 1", "1 2", "3"))
        self.complains("line 3: must be two numbers, one value", market("array complex general", "1 1", "1   "))
        for bad in ("x", "1x", "0x10", "1,5", "--1", "+-1", "1e", "+"):
            self.complains(f"line 3: a value must be a number, got {bad}", entry(f"1 1 {bad}"))
        for bad in ("1.5", "1e3", "9223372036854775808"):
            self.complains(f"line 3: a value must be a whole number in [-2^63, 2^63), got {bad}", entry(f"1 1 {bad}", banner="coordinate integer general"))
        square = "2 2"
        for symmetry in ("symmetric", "skew-symmetric", "hermitian"):
            self.complains("line 3: a matrix with a symmetry gives its lower triangle, this is above",
                           entry("1 2 1 1", banner=f"coordinate complex {symmetry}", sizes=square))
        self.complains("line 3: a skew-symmetric matrix gives nothing on its diagonal",
                       entry("1 1 0", banner="coordinate real skew-symmetric", sizes=square))
        for data in (entry("1 1 1 2", banner="coordinate complex hermitian", sizes=square), market("array complex hermitian", "1 1", "1 2")):
            self.complains("line 3: the diagonal of a hermitian matrix must be real, got 1 2", data)


class Names(SvdCase):
    def test_json_is_utf8(self):
        """Also if the name of a file is not: JSON has no bytes, so each that is no UTF-8 is U+FFFD."""
        folder = os.fsencode(self.folder())
        path = os.path.join(folder, b"\xff\xc3\xa9\x01.npy")
        with open(path, "wb") as file:
            file.write(npy_file(product(3, 2)))
        report = json.loads(self.ok("svd", path, "--json", "-o", os.path.join(folder, b"\xe2\x82")).decode())
        self.assertEqual(report["matrix"], os.fsdecode(folder) + "/\ufffd\u00e9\x01.npy")
        self.assertEqual(report["files"][0], os.fsdecode(folder) + "/\ufffd\ufffd_U.npy")
        self.refuses(f"rng svd: {os.fsdecode(folder)}/\\xfe: cannot be opened: {os.strerror(errno.ENOENT)}", "svd", os.path.join(folder, b"\xfe"))


class StandardInput(SvdCase):
    def test_every_format(self):
        for data in (npy_file(product(40, 7)), npy_file(product(7, 40, imaginary=1), ">c16", fortran=True), npy_file([[0.5] * 300] * 1000),
                     market("array real general", "2 2", 1, 2.5, -3, 42), market("coordinate pattern general", "9 9 2", "1 1", "9 8")):
            piped, of_file = json.loads(self.ok("svd", "-", "--json", input=data)), self.report(data)
            self.assertEqual((piped["matrix"], piped["digest"], piped["residual"]), ("-", of_file["digest"], of_file["residual"]))
            with open(self.file(data), "rb") as file:
                self.assertEqual(json.loads(self.ok("svd", "-", "--json", stdin=file))["digest"], of_file["digest"])

    def test_no_matrix(self):
        def complains(message, **options):
            self.refuses(f"rng svd: standard input: {message}", "svd", "-", **options)
        neither = "is neither a NumPy file (.npy) nor a Matrix Market file (.mtx)"
        complains("is empty", input=b"")
        complains(neither, input=b"%%MatrixMarke")
        data = npy_file(product(3, 2))
        complains("is cut short: 3 x 2 of <f8 are 48 bytes, after its header it has 47", input=data[:-1])
        complains("goes on after its data: 3 x 2 of <f8 are 48 bytes, after its header it has 49", input=data + b"0")
        complains("is compressed with gzip, which gzip -dc undoes: gzip -dc A.mtx.gz | rng svd -", input=gzip.compress(data))
        with open("/dev/zero", "rb") as endless:  # which is not read to its end
            complains(neither, stdin=endless)
        complains(f"cannot be read: {os.strerror(errno.EBADF)}", stdin=None, preexec_fn=lambda: os.close(0))
        master, slave = pty.openpty()
        complains("must be a pipe or a file, got a terminal", stdin=slave)
        os.close(slave)
        os.close(master)


class Inputs(SvdCase):
    def test_the_matrix_stays(self):
        data, folder = npy_file(product(5, 3)), self.folder()
        first, plain, link, hard = f"{folder}/E_U.npy", f"{folder}/in.npy", f"{folder}/D_V.npy", f"{folder}/H_S.npy"
        for path in (first, plain):
            with open(path, "wb") as file:
                file.write(data)
        os.symlink("in.npy", link)
        os.link(plain, hard)
        before = sorted(os.listdir(folder))
        for path, prefix in ((first, "E"), (plain, "D"), (link, "D"), (f"{folder}/../{os.path.basename(folder)}/in.npy", "D"), (plain, "H")):
            self.refuses(f"rng svd: -o would overwrite {path}, which is an input of this run", "svd", path, "-q", 1, "-o", f"{folder}/{prefix}")
        with open(first, "rb") as file:
            self.refuses("rng svd: -o would overwrite /dev/stdin, which is an input of this run", "svd", "-", "-o", f"{folder}/E", stdin=file)
        os.symlink("T_V.npy", f"{folder}/T_U.npy")
        self.refuses(f"rng svd: -o: the three files must be different, got {folder}/T_V.npy twice", "svd", plain, "-o", f"{folder}/T")
        self.assertEqual(sorted(os.listdir(folder)), sorted([*before, "T_U.npy"]))
        for path in (first, plain):
            with open(path, "rb") as file:
                self.assertEqual(file.read(), data)
        self.ok("svd", first, "-o", f"{folder}/F")


if __name__ == "__main__":
    unittest.main()
