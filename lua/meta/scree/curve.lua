---@meta scree.curve
-- Annotations of curves. docs/motion.md explains them.

---Curves through the points of a table: piecewise polynomials, and their exact integrals. A curve is plain data.
---@class scree.curve
local curve = {}

---Returns the curve through points. "cubic" is a spline with continuous second derivative, which reproduces polynomials of degree 3.
---@param time number[] rising [s]
---@param value number[] as many as times
---@param interpolation? "linear"|"cubic" default: "linear"
---@return scree.Curve
function curve.create(time, value, interpolation) end

---Returns the value at a time. Before the first time the value is that of the first point. After the last time it changes with the slope of the curve.
---@param c scree.Curve
---@param t number [s]
---@return number
function curve.at(c, t) end

---Returns the integral from the first time on, exact for the polynomials of the curve.
---@param c scree.Curve
---@param slope? number of the integral after the last time; default: 0
---@return scree.Curve
function curve.integrate(c, slope) end

---Returns an acceleration with a corrected base line. "mean" subtracts the mean. "linear" and "quadratic" subtract the derivative of the polynomial b1 s or
---b1 s + b2 s^2, s = t - first time, that fits the velocity by least squares.
---@param a scree.Curve
---@param correction? "none"|"mean"|"linear"|"quadratic" default: "none"
---@return scree.Curve
function curve.correct(a, correction) end

---A piecewise polynomial: between the times i and i + 1 the sum of term[(i - 1) terms + k] (t - time[i])^(k - 1).
---@class scree.Curve
---@field time number[] [s]
---@field terms integer polynomial coefficients per interval
---@field term number[]
---@field last number value at the last time
---@field slope number derivative after the last time

return curve
