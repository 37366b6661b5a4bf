// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, ICaveatEnforcer, IUniswapV3Pool} from "./EnforcerTest.sol";
import {MeteredEnforcerTest} from "./MeteredEnforcerTest.sol";
import {MaxSlippageEnforcer} from "../../src/enforcers/MaxSlippageEnforcer.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {FairSpot} from "../../src/libraries/FairSpot.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

contract MaxSlippageEnforcerTest is MeteredEnforcerTest {
    uint256 private constant Q96 = 1 << 96;
    /// @dev 1e18 / 3000e6, times 2^96.
    uint256 private constant FAIR = (uint256(1e18) << 96) / 3000e6;

    MaxSlippageEnforcer private enforcer = new MaxSlippageEnforcer(vitals, policyCage, manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _row() internal pure override returns (bytes32) {
        return HASH;
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _slippage(100, 50);
    }

    function _slippage(uint256 bps, uint256 spread) private view returns (bytes memory) {
        return abi.encodePacked(uint16(bps), uint16(spread), _mandate());
    }

    // Swaps.

    function test_afterHook_swap(uint64 sold, uint96 bought, uint16 bps) public {
        bps = uint16(bound(bps, 0, 10_000));
        sold = uint64(bound(sold, 1, 10_000_000e6));
        bytes memory terms = _slippage(bps, 50);
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), sold));
        _before(terms, SINGLE, execution);
        usdc.burn(account, sold);
        weth.mint(account, bought);
        uint256 inMicros = uint256(bought) * 3000e6 / 1e18;
        if (inMicros * 10_000 >= uint256(sold) * (10_000 - bps)) _after(terms, SINGLE, execution);
        else _afterRefuses(terms, SINGLE, execution, _exceeded(sold, inMicros, bps));
    }

    function test_afterHook_revert_aMillionthTooLittle() public {
        bytes memory execution = _single(_swapCall(address(weth), address(usdc), 1e18));
        _before(_goodTerms(), SINGLE, execution);
        weth.burn(account, 1e18);
        usdc.mint(account, 2970e6 - 1);
        _afterRefuses(_goodTerms(), SINGLE, execution, _exceeded(3000e6, 2970e6 - 1, 100));
        usdc.mint(account, 1);
        _after(_goodTerms(), SINGLE, execution);
    }

    /// @dev The swap took its input, and the output did not arrive.
    function test_afterHook_revert_nothingCameIn() public {
        bytes memory execution =
            _batch(_approveCall(address(usdc), router, 100e6), _swapCall(address(usdc), address(weth), 100e6));
        _before(_goodTerms(), BATCH, execution);
        usdc.burn(account, 100e6);
        _afterRefuses(_goodTerms(), BATCH, execution, _exceeded(100e6, 0, 100));
    }

    /// @dev Only part of the input was taken: the swap still counts for its maximum.
    function test_afterHook_revert_parsedInputCounts() public {
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), 3000e6));
        _before(_goodTerms(), SINGLE, execution);
        usdc.burn(account, 1500e6);
        weth.mint(account, 0.5e18);
        _afterRefuses(_goodTerms(), SINGLE, execution, _exceeded(3000e6, 1500e6, 100));
    }

    function test_afterHook_otherClassesPass() public {
        bytes memory terms = _slippage(0, 0);
        _redeem(terms, SINGLE, _payment(10e6));
        bytes memory execution = _single(_depositCall(5e6));
        _before(terms, SINGLE, execution);
        usdc.burn(account, 5e6);
        _after(terms, SINGLE, execution);
    }

    function test_beforeHook_revert_moreThanAll(uint16 bps) public {
        bps = uint16(bound(bps, 10_001, type(uint16).max));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, bps);
        _refuses(_slippage(bps, 50), _payment(10e6), reason);
        _refuses(_slippage(100, bps), _payment(10e6), reason);
    }

    // Liquidity.

    function test_hooks_addLiquidity() public {
        bytes memory execution = _single(_addLiquidityCall(3e6, 1e15));
        _before(_goodTerms(), SINGLE, execution);
        usdc.burn(account, 3e6);
        weth.burn(account, 1e15);
        _after(_goodTerms(), SINGLE, execution);
    }

    function test_beforeHook_revert_spotPushed() public {
        bytes memory execution = _single(_addLiquidityCall(3e6, 1e15));
        uint256 spot = _push(FAIR * 10_051 / 10_000);
        _refuses(_goodTerms(), execution, _unfair(spot, FAIR));
        spot = _push(FAIR * 9_949 / 10_000);
        _refuses(_goodTerms(), execution, _unfair(spot, FAIR));
    }

    /// @dev Fair when checked, and moved before the liquidity was added.
    function test_afterHook_revert_spotPushedMeanwhile() public {
        bytes memory execution = _single(_addLiquidityCall(3e6, 1e15));
        _before(_goodTerms(), SINGLE, execution);
        uint256 spot = _push(FAIR * 2);
        _afterRefuses(_goodTerms(), SINGLE, execution, _unfair(spot, FAIR));
    }

    function test_beforeHook_spot(uint256 price, uint16 spread) public {
        spread = uint16(bound(spread, 0, 10_000));
        uint256 spot = _push(bound(price, Q96, FAIR * 4));
        bytes memory execution = _single(_addLiquidityCall(3e6, 1e15));
        uint256 off = spot > FAIR ? spot - FAIR : FAIR - spot;
        if (off * 10_000 <= FAIR * spread) _before(_slippage(100, spread), SINGLE, execution);
        else _refuses(_slippage(100, spread), execution, _unfair(spot, FAIR));
    }

    /// @dev A pool with its tokens in reverse order has a price below one, and is judged the same.
    function test_beforeHook_spotBelowOne(uint256 price) public {
        vm.mockCall(pool, abi.encodeCall(IUniswapV3Pool.token0, ()), abi.encode(weth));
        vm.mockCall(pool, abi.encodeCall(IUniswapV3Pool.token1, ()), abi.encode(usdc));
        uint256 root = Math.sqrt(bound(price, FAIR / 4, FAIR * 4) << 96);
        _setSpot(uint160((1 << 192) / root));
        root = (1 << 192) / uint256(uint160((1 << 192) / root));
        uint256 spot = Math.mulDiv(root, root, Q96);
        bytes memory execution = _single(_addLiquidityCall(3e6, 1e15));
        uint256 off = spot > FAIR ? spot - FAIR : FAIR - spot;
        if (off * 10_000 <= FAIR * 50) _before(_goodTerms(), SINGLE, execution);
        else _refuses(_goodTerms(), execution, _unfair(spot, FAIR));
    }

    function test_beforeHook_revert_poolWithoutPrice() public {
        _setSpot(0);
        _refuses(_goodTerms(), _single(_addLiquidityCall(3e6, 1e15)), _unfair(0, 0));
    }

    function test_beforeHook_revert_poolOfOtherTokens() public {
        vm.mockCall(pool, abi.encodeCall(IUniswapV3Pool.token1, ()), abi.encode(stranger));
        bytes memory reason = abi.encodeWithSelector(Actions.AssetNotTracked.selector, stranger);
        _refuses(_goodTerms(), _single(_addLiquidityCall(3e6, 1e15)), reason);
    }

    /// @return spot the pool's price, with the precision of its root
    function _push(uint256 price) private returns (uint256 spot) {
        uint256 root = Math.sqrt(price << 96);
        _setSpot(uint160(root));
        return Math.mulDiv(root, root, Q96);
    }

    function _exceeded(uint256 outMicros, uint256 inMicros, uint256 bps) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Slippage.SlippageExceeded.selector, outMicros, inMicros, bps);
    }

    function _unfair(uint256 spot, uint256 fair) private view returns (bytes memory) {
        return abi.encodeWithSelector(FairSpot.SpotUnfair.selector, pool, spot, fair);
    }
}
