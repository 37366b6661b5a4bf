// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {Market} from "./CageRoyalty.t.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {FairSpot} from "../../src/libraries/FairSpot.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title The Cage's conditions one by one: what each allows and refuses
contract CageGuardsTest is CageWorld {
    bytes32 private constant HASH = keccak256("delegation");

    // --- Royalties

    /// @dev The inflow of a withdrawal is not the price of a sale.
    function test_royalty_bindsSalesOnly() public {
        Bounds memory b = _bounds();
        (b.extras, b.sections) = (uint8(CageTerms.ROYALTY), abi.encodePacked(payee, uint16(1_000)));
        vault.transfer(account, 100e6);
        bytes memory withdraw = abi.encodeCall(IERC4626.redeem, (100e6, account, account));
        _redeem(_caged(b), SINGLE, _single(address(vault), 0, withdraw));
    }

    function test_royalty_saleWithoutASection() public {
        Market market = new Market(usdc);
        usdc.mint(address(market), 100e6);
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(1), uint8(1), uint8(0)),
            abi.encodePacked(usdc, address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.SALE, market, Market.sell.selector)
        );
        uint256 before = usdc.balanceOf(account);
        _redeem(_caged(b), SINGLE, _single(address(market), 0, abi.encodeCall(Market.sell, (100e6))));
        assertEq(usdc.balanceOf(account), before + 100e6);
    }

    function test_royalty_revert_shareAboveTheWhole() public {
        Market market = new Market(usdc);
        Bounds memory b = _bounds();
        (b.extras, b.sections) = (uint8(CageTerms.ROYALTY), abi.encodePacked(payee, uint16(10_001)));
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(1), uint8(1), uint8(0)),
            abi.encodePacked(usdc, address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.SALE, market, Market.sell.selector)
        );
        Delegation memory d = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 10_001));
        _redeem(d, SINGLE, _single(address(market), 0, abi.encodeCall(Market.sell, (0))));
    }

    // --- Terms

    function test_settlement_noneOrOneOfTheAssets() public {
        Bounds memory b = _bounds();
        b.settlement = 255;
        _pay(_caged(b), 1e6);
        b.settlement = 1;
        _pay(_caged(b), 1e6);
        b.settlement = 2;
        Delegation memory d = _caged(b);
        vm.expectPartialRevert(CaveatEnforcer.TermsUnknown.selector);
        _pay(d, 1e6);
    }

    function test_nav_revert_shareAboveTheWhole() public {
        Bounds memory b = _bounds();
        b.extras = uint8(CageTerms.VAULT_NAV);
        b.sections = abi.encodePacked(address(vault), uint16(10_001), uint40(1_000_00));
        Delegation memory d = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 10_001));
        _pay(d, 1e6);
    }

    // --- Measuring

    function test_balance_revert_aboveWhatIsMeasured() public {
        Delegation memory d = _caged(_bounds());
        vm.mockCall(
            address(usdc), abi.encodeCall(IERC20.balanceOf, (account)), abi.encode(uint256(type(uint128).max) + 1)
        );
        vm.expectRevert(
            abi.encodeWithSelector(MeteredEnforcer.BalanceNotSupported.selector, usdc, uint256(type(uint128).max) + 1)
        );
        _redeem(d, SINGLE, _single(address(weth), 0, _transfer(payee, 1)));
    }

    // --- A pool's price, before and after

    function test_spread_revert_unfairBefore() public {
        (bytes memory terms, bytes memory execution) = _addition();
        _push();
        vm.expectPartialRevert(FairSpot.SpotUnfair.selector);
        _before(terms, execution);
    }

    function test_spread_revert_unfairAfter() public {
        (bytes memory terms, bytes memory execution) = _addition();
        _before(terms, execution);
        _push();
        vm.expectPartialRevert(FairSpot.SpotUnfair.selector);
        vm.prank(address(manager));
        cage.afterHook(terms, "", SINGLE, execution, HASH, account, session);
    }

    // --- Parts

    function _pay(Delegation memory d, uint256 amount) private {
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function _before(bytes memory terms, bytes memory execution) private {
        vm.prank(address(manager));
        cage.beforeHook(terms, "", SINGLE, execution, HASH, account, session);
    }

    function _addition() private view returns (bytes memory terms, bytes memory execution) {
        INonfungiblePositionManager.MintParams memory p;
        (p.token0, p.token1) =
            address(usdc) < address(weth) ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (p.fee, p.amount0Desired, p.amount1Desired) = (500, 1e6, 1e6);
        p.recipient = account;
        return
            (_terms(_bounds()), _single(address(positions), 0, abi.encodeCall(INonfungiblePositionManager.mint, (p))));
    }

    /// @dev A stranger's trade moves the pool far from the feeds.
    function _push() private {
        usdc.mint(thief, 50_000_000e6);
        vm.startPrank(thief);
        usdc.approve(address(router), type(uint256).max);
        router.exactInputSingle(
            ISwapRouter02.ExactInputSingleParams(address(usdc), address(weth), 500, thief, 50_000_000e6, 0, 0)
        );
        vm.stopPrank();
    }
}
