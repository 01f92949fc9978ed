// + - * / of double, half, bfloat16_t and float.
#ifndef SHMEM_RUST_FLOAT_ARITH_H
#define SHMEM_RUST_FLOAT_ARITH_H

namespace shmem_rust {

__aicore__ __inline__ double fadd(double x, double y)
{
    typedef float_format<double> format;
    // `a` is the one of greater magnitude.
    uint64_t a = fto_bits(x);
    uint64_t b = fto_bits(y);
    if ((a & ~format::sign) < (b & ~format::sign)) {
        const uint64_t smaller = a;
        a = b;
        b = smaller;
    }
    const uint64_t sign = a & format::sign;
    const bool same_sign = ((a ^ b) & format::sign) == 0;
    a &= ~format::sign;
    b &= ~format::sign;
    if (a >= format::inf) {
        return ffrom_bits<double>(a > format::inf || (a == b && !same_sign) ? format::nan : sign | a);
    }
    // One bit above for the carry, ten below for rounding. Subnormals count from exponent 1.
    const bool a_normal = a >= format::hidden;
    const bool b_normal = b >= format::hidden;
    const int32_t a_exp = a_normal ? static_cast<int32_t>(a >> format::mantissa) : 1;
    const int32_t b_exp = b_normal ? static_cast<int32_t>(b >> format::mantissa) : 1;
    const uint64_t a_sig = ((a & (format::hidden - 1)) | (a_normal ? format::hidden : 0)) << 10;
    const uint64_t b_sig = ((b & (format::hidden - 1)) | (b_normal ? format::hidden : 0)) << 10;
    const uint64_t b_aligned = fshift_right(b_sig, a_exp - b_exp);
    const uint64_t sum = same_sign ? a_sig + b_aligned : a_sig - b_aligned;
    if (sum == 0) {
        return ffrom_bits<double>(same_sign ? sign : 0);
    }
    const int32_t zeros = fleading_zeros(sum);
    return ffrom_bits<double>(fpack<double>(sign, a_exp + 1 - zeros, sum << zeros));
}

__aicore__ __inline__ double fsub(double a, double b)
{
    return fadd(a, ffrom_bits<double>(fto_bits(b) ^ float_format<double>::sign));
}

__aicore__ __inline__ double fmul(double x, double y)
{
    typedef float_format<double> format;
    const uint64_t sign = (fto_bits(x) ^ fto_bits(y)) & format::sign;
    const uint64_t a = fto_bits(x) & ~format::sign;
    const uint64_t b = fto_bits(y) & ~format::sign;
    if (a >= format::inf || b >= format::inf) {
        return ffrom_bits<double>(a > format::inf || b > format::inf || a == 0 || b == 0 ? format::nan
                                                                                         : sign | format::inf);
    }
    if (a == 0 || b == 0) {
        return ffrom_bits<double>(sign);
    }
    const float_parts a_parts = funpack<double>(a);
    const float_parts b_parts = funpack<double>(b);
    const float_product product = fproduct(a_parts.sig, b_parts.sig);
    const int32_t carry = static_cast<int32_t>(product.high >> 63);
    const uint64_t sig = (product.high << (1 - carry)) | (product.low != 0 ? 1 : 0);
    return ffrom_bits<double>(fpack<double>(sign, a_parts.exp + b_parts.exp - format::bias + carry, sig));
}

__aicore__ __inline__ double fdiv(double x, double y)
{
    typedef float_format<double> format;
    const uint64_t sign = (fto_bits(x) ^ fto_bits(y)) & format::sign;
    const uint64_t a = fto_bits(x) & ~format::sign;
    const uint64_t b = fto_bits(y) & ~format::sign;
    if (a > format::inf || b > format::inf || (a == b && (a == 0 || a == format::inf))) {
        return ffrom_bits<double>(format::nan);
    }
    if (a == format::inf || b == 0) {
        return ffrom_bits<double>(sign | format::inf);
    }
    if (a == 0 || b == format::inf) {
        return ffrom_bits<double>(sign);
    }
    const float_parts a_parts = funpack<double>(a);
    const float_parts b_parts = funpack<double>(b);
    // Long division in digits of 11 bits; the first digit is made to be 1.
    const uint64_t divisor = b_parts.sig >> 11;
    uint64_t rest = a_parts.sig >> 11;
    int32_t exp = a_parts.exp - b_parts.exp + format::bias;
    if (rest < divisor) {
        rest <<= 1;
        --exp;
    }
    rest -= divisor;
    uint64_t quotient = 1;
    for (int32_t i = 0; i < 5; ++i) {
        rest <<= 11;
        const uint64_t digit = rest / divisor;
        rest -= digit * divisor;
        quotient = (quotient << 11) | digit;
    }
    return ffrom_bits<double>(fpack<double>(sign, exp, (quotient << 8) | (rest != 0 ? 1 : 0)));
}

// As the `half` crate: in float, which is the type that the scalar unit computes with, then rounded.
__aicore__ __inline__ half fadd(half a, half b)
{
    return fcast<half>(fcast<float>(a) + fcast<float>(b));
}

__aicore__ __inline__ half fsub(half a, half b)
{
    return fcast<half>(fcast<float>(a) - fcast<float>(b));
}

__aicore__ __inline__ half fmul(half a, half b)
{
    return fcast<half>(fcast<float>(a) * fcast<float>(b));
}

__aicore__ __inline__ half fdiv(half a, half b)
{
    return fcast<half>(fcast<float>(a) / fcast<float>(b));
}

__aicore__ __inline__ bfloat16_t fadd(bfloat16_t a, bfloat16_t b)
{
    return fcast<bfloat16_t>(fcast<float>(a) + fcast<float>(b));
}

__aicore__ __inline__ bfloat16_t fsub(bfloat16_t a, bfloat16_t b)
{
    return fcast<bfloat16_t>(fcast<float>(a) - fcast<float>(b));
}

__aicore__ __inline__ bfloat16_t fmul(bfloat16_t a, bfloat16_t b)
{
    return fcast<bfloat16_t>(fcast<float>(a) * fcast<float>(b));
}

__aicore__ __inline__ bfloat16_t fdiv(bfloat16_t a, bfloat16_t b)
{
    return fcast<bfloat16_t>(fcast<float>(a) / fcast<float>(b));
}

__aicore__ __inline__ float fadd(float a, float b)
{
    return a + b;
}

__aicore__ __inline__ float fsub(float a, float b)
{
    return a - b;
}

__aicore__ __inline__ float fmul(float a, float b)
{
    return a * b;
}

__aicore__ __inline__ float fdiv(float a, float b)
{
    return a / b;
}

}  // namespace shmem_rust

#endif
