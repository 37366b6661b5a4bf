// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {HookToken, Nester} from "./Hostile.sol";
import {Market} from "./Royalties.t.sol";
import {Delegation, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title Two stolen Golems of one account: one executes inside the other's execution
/// @dev The inflow or outflow of one lineage must not make the other's swap look fair, or its sale look small.
contract CrossLineageTest is Attack {
    bytes32 private constant OTHER = keccak256("the owner's other Golem");

    address private author = makeAddr("author");
    Nester private nester;
    HookToken private hook;
    Market private market;

    function setUp() public override {
        super.setUp();
        _grow(OTHER);
        nester = new Nester(manager);
        hook = new HookToken();
        market = new Market(usdc);
        usdc.mint(address(market), 100_000e6);
        market.setBuyer(nester);
        vm.prank(account);
        usdc.approve(address(vault), 10_000e6);
        vm.prank(account);
        vault.deposit(10_000e6, account);
    }

    /// @dev 900 dollars go into a pool at the thief's price, for nothing; and the other Golem's withdrawal, from inside
    ///      the token's transfer, counts as what the swap brought in.
    function test_swap_revert_otherLineagesWithdrawalPassesForProceeds() public {
        _worthlessPool();
        bytes memory withdraw = abi.encodeCall(IERC4626.withdraw, (2_000e6, account, account));
        Delegation[] memory chain = _sub(_again(_wide(OTHER), 3), address(nester), address(0), "");
        nester.load(chain, SINGLE, _single(address(vault), 0, withdraw), true);
        hook.setListener(address(nester));
        bytes memory swap = abi.encodeCall(
            ISwapRouter02.exactInputSingle,
            (ISwapRouter02.ExactInputSingleParams(address(usdc), address(hook), 500, account, 900e6, 0, 0))
        );
        Delegation memory by = _again(_wide(GOLEM), 2);
        vm.expectPartialRevert(Slippage.SlippageExceeded.selector);
        _redeem(by, BATCH, _batch(_call(address(usdc), _approve(address(router), 900e6)), _call(address(router), swap)));
    }

    /// @dev The buyer makes the other Golem pay out most of the proceeds before the sale is checked.
    function test_sale_revert_otherLineagesPaymentHidesProceeds() public {
        Bounds memory b = _bounds();
        b.mandate = _mandateWith(Mandate.SALE, address(market), Market.sell.selector, author);
        b.extras = uint16(CageTerms.ROYALTY);
        b.sections = abi.encodePacked(author, uint16(1_000));
        Delegation memory seller = _again(b, 2);
        b = _bounds();
        b.golem = OTHER;
        Delegation[] memory chain = _sub(_again(b, 3), address(nester), address(0), "");
        nester.load(chain, SINGLE, _single(address(usdc), 0, _transfer(payee, 290e6)), false);
        bytes memory sale = _batch(
            _call(address(market), abi.encodeCall(Market.sell, (300e6))), _call(address(usdc), _transfer(author, 1e6))
        );
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.AccountBusy.selector, account));
        _redeem(seller, BATCH, sale);
    }

    /// @dev The thief's own liquidity: one HOOK for a thousand USDC.
    function _worthlessPool() private {
        bool usdcFirst = address(usdc) < address(hook);
        (address token0, address token1) = usdcFirst ? (address(usdc), address(hook)) : (address(hook), address(usdc));
        uint160 price = usdcFirst ? uint160((uint256(1) << 96) / 32) : uint160(32 << 96);
        positions.createAndInitializePoolIfNecessary(token0, token1, 500, price);
        hook.mint(address(this), 1_000_000e6);
        usdc.mint(address(this), 1_000_000e6);
        hook.approve(address(positions), type(uint256).max);
        positions.mint(
            INonfungiblePositionManager.MintParams(
                token0, token1, 500, -887_270, 887_270, 1_000_000e6, 1_000_000e6, 0, 0, address(this), type(uint256).max
            )
        );
    }

    /// @dev USDC and the token with a hook at par; router and vault.
    function _wide(bytes32 golem) private view returns (Bounds memory b) {
        b = _bounds();
        b.golem = golem;
        b.mandate = abi.encodePacked(
            account,
            uint8(2),
            uint8(2),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(hook), address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.SWAP_ROUTER_02, address(router), bytes4(0)),
            abi.encodePacked(Mandate.VAULT, address(vault), bytes4(0)),
            payee
        );
    }
}
