"""Python's operators and the special methods that they call (Python reference, "Data model")."""

from __future__ import annotations

import libcst as cst

BINARY: dict[type[cst.CSTNode], str] = {
    cst.Add: "__add__",
    cst.Subtract: "__sub__",
    cst.Multiply: "__mul__",
    cst.Divide: "__truediv__",
    cst.FloorDivide: "__floordiv__",
    cst.Modulo: "__mod__",
    cst.Power: "__pow__",
    cst.LeftShift: "__lshift__",
    cst.RightShift: "__rshift__",
    cst.BitAnd: "__and__",
    cst.BitOr: "__or__",
    cst.BitXor: "__xor__",
    cst.MatrixMultiply: "__matmul__",
}
AUGMENTED: dict[type[cst.CSTNode], str] = {
    cst.AddAssign: "__iadd__",
    cst.SubtractAssign: "__isub__",
    cst.MultiplyAssign: "__imul__",
    cst.DivideAssign: "__itruediv__",
    cst.FloorDivideAssign: "__ifloordiv__",
    cst.ModuloAssign: "__imod__",
    cst.PowerAssign: "__ipow__",
    cst.LeftShiftAssign: "__ilshift__",
    cst.RightShiftAssign: "__irshift__",
    cst.BitAndAssign: "__iand__",
    cst.BitOrAssign: "__ior__",
    cst.BitXorAssign: "__ixor__",
    cst.MatrixMultiplyAssign: "__imatmul__",
}
UNARY: dict[type[cst.CSTNode], str] = {cst.Minus: "__neg__", cst.Plus: "__pos__", cst.BitInvert: "__invert__"}
# `is` and `is not` call nothing.
COMPARISON: dict[type[cst.CSTNode], str] = {
    cst.Equal: "__eq__",
    cst.NotEqual: "__ne__",
    cst.LessThan: "__lt__",
    cst.LessThanEqual: "__le__",
    cst.GreaterThan: "__gt__",
    cst.GreaterThanEqual: "__ge__",
    cst.In: "__contains__",
    cst.NotIn: "__contains__",
}
