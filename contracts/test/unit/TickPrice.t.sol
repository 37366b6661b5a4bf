// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test, stdError} from "forge-std/Test.sol";
import {TickPrice} from "../../src/oracles/TickPrice.sol";

interface IFactory {
    function createPool(address tokenA, address tokenB, uint24 fee) external returns (address);
}

interface IPool {
    function initialize(uint160 sqrtPriceX96) external;
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
}

contract TickPriceTest is Test {
    IPool private pool;

    function setUp() public {
        address factory = deployCode("out/protocols/UniswapV3Factory.json");
        pool = IPool(IFactory(factory).createPool(address(1), address(2), 500));
    }

    function scale(int24 tick, uint256 numerator, uint256 denominator) external pure returns (uint256) {
        return TickPrice.scale(tick, numerator, denominator);
    }

    /// Computed elsewhere with 200 decimal digits.
    function test_scale_knownValues() public pure {
        _assertScale(0, 18, 18, 100000000);
        _assertScale(1, 18, 18, 100010000);
        _assertScale(-1, 18, 18, 99990000);
        _assertScale(2, 0, 0, 100020001);
        _assertScale(-2, 0, 0, 99980002);
        _assertScale(100, 18, 18, 101004966);
        _assertScale(-100, 18, 18, 99005032);
        _assertScale(50000, 18, 6, 14837606292307461898279);
        _assertScale(-200311, 18, 6, 200004028964);
        _assertScale(200311, 6, 18, 49998);
        _assertScale(887272, 0, 0, 34025678683638809405080578505294654106675150754);
        _assertScale(-887272, 36, 0, 293895);
        _assertScale(-887272, 18, 18, 0);
        _assertScale(887271, 18, 6, 34022276455993210084072171288165837522922858468823275879300);
        _assertScale(524288, 8, 18, 586678444414229699013);
        _assertScale(-524289, 18, 8, 0);
        _assertScale(299999, 8, 6, 106693910137915319777318);
        _assertScale(-299999, 18, 0, 9372606165688);
    }

    /// Against floating point of twice the width, multiplied up from the lowest bit instead of down from the highest, and
    /// with 10000/10001 as the base of negative powers instead of a reciprocal.
    function test_scale_agreesWithTheWideModel(int24 tick, uint8 baseDecimals, uint8 quoteDecimals, uint64 price)
        public
        pure
    {
        tick = int24(bound(tick, -TickPrice.MAX_TICK, TickPrice.MAX_TICK));
        uint256 numerator = 10 ** (bound(baseDecimals, 0, 18) + 8) * bound(price, 1, type(uint64).max);
        uint256 denominator = 10 ** (bound(quoteDecimals, 0, 18) + 8);
        (uint256 mantissa, int256 exponent) = _wide(tick);
        // 136 of the 256 bits are kept, far more than the guaranteed 104.
        uint256 expected = Math.mulDiv(mantissa >> 120, numerator, denominator << 8);
        int256 shift = 135 - 8 - exponent;
        expected = shift > 255 ? 0 : expected >> uint256(shift);

        assertApproxEqAbs(TickPrice.scale(tick, numerator, denominator), expected, 1 + (expected >> 103));
    }

    function test_power_isWithinItsPromise(uint24 n) public pure {
        n = uint24(bound(n, 0, uint24(TickPrice.MAX_TICK)));
        (uint256 mantissa, uint256 exponent) = TickPrice.power(n);
        assertEq(mantissa >> 127, 1);
        (uint256 wide, int256 wideExponent) = _wide(int24(n));
        assertEq(int256(exponent), wideExponent);
        assertApproxEqAbs(mantissa << 128, wide, wide >> 104);
    }

    function test_scale_risesWithTheTick(int24 tick) public pure {
        tick = int24(bound(tick, -TickPrice.MAX_TICK, TickPrice.MAX_TICK - 1));
        assertLe(TickPrice.scale(tick, 1e26, 1e6), TickPrice.scale(tick + 1, 1e26, 1e6));
    }

    /// Pools that start just above and just below this price report this tick and the previous one: Uniswap's own
    /// deployed arithmetic, on both sides of every boundary.
    function test_power_isWhatUniswapMeansByTheTick(int24 tick) public {
        _assertBoundary(int24(bound(tick, -TickPrice.MAX_TICK + 1, TickPrice.MAX_TICK - 1)));
    }

    function test_power_isWhatUniswapMeansByTheTick_edges() public {
        int24[6] memory ticks = [-887271, -1, 0, 1, int24(887270), int24(887271)];
        for (uint256 i; i < ticks.length; i++) {
            _assertBoundary(ticks[i]);
        }
    }

    /// Every result that fits is returned, whatever the decimals.
    function test_scale_overflowsOnlyWithTheResult() public {
        assertEq(TickPrice.scale(-887272, type(uint256).max, 1) >> 128, 1);
        assertEq(TickPrice.scale(887272, type(uint256).max, type(uint256).max) >> 127, 1);
        vm.expectRevert(stdError.arithmeticError);
        this.scale(887272, 1 << 129, 1);
    }

    function test_scale_revert_tickOutOfRange(int24 tick, bool above) public {
        tick = int24(above ? bound(tick, 887273, type(int24).max) : bound(tick, type(int24).min, -887273));
        vm.expectRevert(abi.encodeWithSelector(TickPrice.TickOutOfRange.selector, tick));
        this.scale(tick, 1, 1);
    }

    function _assertScale(int24 tick, uint256 baseDecimals, uint256 quoteDecimals, uint256 expected) private pure {
        uint256 price = TickPrice.scale(tick, 10 ** (baseDecimals + 8), 10 ** quoteDecimals);
        assertApproxEqAbs(price, expected, 1 + (expected >> 104));
    }

    /// 1.0001^tick as `mantissa * 2^exponent / 2^255`, the mantissa within 2^255…2^256.
    function _wide(int24 tick) private pure returns (uint256 mantissa, int256 exponent) {
        (mantissa, exponent) = (1 << 255, 0);
        (uint256 square, int256 squareExponent) = tick < 0
            ? (Math.mulDiv(type(uint256).max, 10_000, 10_001), int256(-1))
            : (Math.mulDiv(1 << 255, 10_001, 10_000), int256(0));
        for (uint256 n = tick < 0 ? uint24(-tick) : uint24(tick); n != 0; n >>= 1) {
            if (n & 1 == 1) (mantissa, exponent) = _wideProduct(mantissa, exponent, square, squareExponent);
            (square, squareExponent) = _wideProduct(square, squareExponent, square, squareExponent);
        }
    }

    function _wideProduct(uint256 a, int256 aExponent, uint256 b, int256 bExponent)
        private
        pure
        returns (uint256, int256)
    {
        (uint256 high, uint256 low) = Math.mul512(a, b);
        return
            high >> 255 == 1 ? (high, aExponent + bExponent + 1) : ((high << 1) | (low >> 255), aExponent + bExponent);
    }

    function _assertBoundary(int24 tick) private {
        uint256 root = _sqrtPriceX96(tick);
        uint256 hair = (root >> 50) + 2;
        assertEq(_tickAt(root + hair), tick);
        assertEq(_tickAt(root - hair), tick - 1);
    }

    function _tickAt(uint256 sqrtPriceX96) private returns (int24 tick) {
        uint256 fresh = vm.snapshotState();
        pool.initialize(uint160(sqrtPriceX96));
        (, tick,,,,,) = pool.slot0();
        vm.revertToState(fresh);
    }

    /// The square root of our price for the tick, in Uniswap's format.
    function _sqrtPriceX96(int24 tick) private pure returns (uint256) {
        (uint256 value, uint256 exponent) = TickPrice.power(tick < 0 ? uint24(-tick) : uint24(tick));
        // price * 2^192 = value * 2^shift
        int256 shift = 65 + int256(exponent);
        if (tick < 0) (value, shift) = ((1 << 255) / value, 64 - int256(exponent));
        // 126 or 127 of the shift go inside the root, so that an even number is left outside.
        uint256 inside = shift % 2 == 0 ? 126 : 127;
        uint256 root = Math.sqrt(value << inside);
        int256 outside = (shift - int256(inside)) / 2;
        return outside < 0 ? root >> uint256(-outside) : root << uint256(outside);
    }
}
