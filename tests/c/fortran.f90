! rng.h from Fortran, by iso_c_binding: the README's first values. Stops with an error if they are others.
program fortran
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(c) :: rng_stream
    integer(c_int32_t) :: version, engine
    integer(c_int64_t) :: key(4), id, position
  end type
  type, bind(c) :: rng_parameter
    type(c_ptr) :: name
    integer(c_int64_t) :: kind, integer
    real(c_double) :: real
  end type

  interface
    integer(c_int32_t) function rng_stream_init(stream, seed, engine, id) bind(c)
      import
      type(rng_stream), intent(out) :: stream
      integer(c_int64_t), value :: seed, id
      type(c_ptr), value :: engine
    end function
    integer(c_int32_t) function rng_distribution_new(name, dtype, parameters, count, made) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*), dtype(*)
      type(rng_parameter), intent(in) :: parameters(*)
      integer(c_size_t), value :: count
      type(c_ptr), intent(out) :: made
    end function
    integer(c_int32_t) function rng_fill(distribution, stream, first, values, n, options) bind(c)
      import
      type(c_ptr), value :: distribution, options
      type(rng_stream), intent(in) :: stream
      integer(c_int64_t), value :: first
      real(c_float), intent(out) :: values(*)
      integer(c_size_t), value :: n
    end function
    subroutine rng_distribution_free(distribution) bind(c)
      import
      type(c_ptr), value :: distribution
    end subroutine
  end interface

  character(kind=c_char), target :: mean(5) = ['m', 'e', 'a', 'n', c_null_char]
  type(rng_stream) :: stream
  type(rng_parameter) :: parameters(1)
  type(c_ptr) :: normal
  real(c_float) :: x(2)

  if (rng_stream_init(stream, 42_c_int64_t, c_null_ptr, 0_c_int64_t) /= 0) error stop 'rng_stream_init'
  parameters(1) = rng_parameter(c_loc(mean), 0, 0, 10.0_c_double)
  if (rng_distribution_new('normal' // c_null_char, 'f32' // c_null_char, parameters, 1_c_size_t, normal) /= 0) &
    error stop 'rng_distribution_new'
  if (rng_fill(normal, stream, 0_c_int64_t, x, 2_c_size_t, c_null_ptr) /= 0) error stop 'rng_fill'
  call rng_distribution_free(normal)
  ! 10 + 0.813999772 and 10 + 1.34617996, each rounded once.
  if (abs(x(1) - 10.813999772_c_float) > 1e-6 .or. abs(x(2) - 11.34617996_c_float) > 1e-6) error stop 'other values'
  print '(a, 2f12.7)', 'from Fortran:', x
end program
