// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Caveat, Delegation, Execution} from "../Framework.sol";
import {SettableFeed} from "../CageWorld.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Prices} from "../../src/libraries/Prices.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

struct CaveatGroup {
    Caveat[] caveats;
}

struct SelectedGroup {
    uint256 groupIndex;
    bytes[] caveatArgs;
}

/// @title A second address of a token: its balances are the token's, as with native CELO and its ERC-20
contract Twin {
    IERC20 private immutable _token;

    constructor(IERC20 token) {
        _token = token;
    }

    function balanceOf(address account) external view returns (uint256) {
        return _token.balanceOf(account);
    }

    function allowance(address, address) external pure returns (uint256) {
        return 0;
    }
}

/// @title A contract that stores notes
contract Notebook {
    uint256 public notes;

    function note(uint256) external {
        ++notes;
    }
}

/// @title Cases in which a limit was weaker than documented, or refused too much
contract CornersTest is Attack {
    /// @dev Inside a wrapper the caller is the wrapper: a second budget, a second lock, and the manager as a target.
    function test_wrapper_revert_cageInside() public {
        address wrapper = _deploy("LogicalOrWrapperEnforcer", abi.encode(manager));
        CaveatGroup[] memory groups = new CaveatGroup[](1);
        groups[0].caveats = new Caveat[](1);
        groups[0].caveats[0] = Caveat(address(cage), _terms(_bounds()), "");
        Delegation memory by = _sign(_delegation(wrapper, abi.encode(groups)), ownerKey);
        by.caveats[0].args = abi.encode(SelectedGroup(0, new bytes[](1)));
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, wrapper));
        _pay(by, 1);
    }

    /// @dev The pool is moved so that a swap costs half. A second address of WETH does not make up for it.
    function test_twin_revert_inflowCountsOnce() public {
        Twin twin = new Twin(weth);
        Bounds memory b = _bounds();
        bytes memory usual = _mandate();
        uint256 targets = 23 + 2 * 44;
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(3), uint8(4), uint8(1)),
            _slice(usual, 23, targets),
            abi.encodePacked(address(twin), address(wethFeed), uint24(1 hours), uint8(26)),
            _slice(usual, targets, usual.length)
        );
        Delegation memory by = _caged(b);
        _redeem(by, BATCH, _swap(100e6, account));
        _pushPool();
        vm.expectPartialRevert(Slippage.SlippageExceeded.selector);
        _redeem(by, BATCH, _swap(100e6, account));
    }

    function test_twin_revert_celo() public {
        address celo = 0x471EcE3750Da237f93B8E339c536989b8978a438;
        vm.mockCall(celo, abi.encodeCall(IERC20.balanceOf, (account)), abi.encode(1 ether));
        Bounds memory b = _bounds();
        bytes memory feed = abi.encodePacked(address(wethFeed), uint24(1 hours), uint8(26));
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(3), uint8(0), uint8(1)),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(0), feed),
            abi.encodePacked(celo, feed),
            payee
        );
        Delegation memory by = _caged(b);
        _pay(by, 1);
        vm.chainId(42_220);
        // Signatures name the chain; this one is valid there again.
        by = _sign(by, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.AssetTwice.selector, celo));
        _pay(by, 1);
    }

    // --- A constitution

    /// @dev One asset may be the whole portfolio, whatever fraction of a cent it is worth.
    function test_constitution_wholePortfolioInOneAsset() public {
        vm.startPrank(account);
        weth.transfer(address(1), weth.balanceOf(account) - 0.1 ether - 1);
        usdc.transfer(address(1), usdc.balanceOf(account));
        vm.stopPrank();
        Bounds memory b = _governed();
        b.settlement = 255;
        Delegation memory by = _caged(b);
        uint256 amount = weth.balanceOf(account);
        Execution[] memory list = new Execution[](2);
        list[0] = _call(address(weth), _approve(address(router), amount));
        list[1] = _call(
            address(router),
            abi.encodeWithSignature(
                "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
                address(weth),
                address(usdc),
                uint24(500),
                account,
                amount,
                uint256(0),
                uint160(0)
            )
        );
        _redeem(by, BATCH, abi.encode(list));
        assertEq(weth.balanceOf(account), 0);
    }

    /// @dev A wei of an asset with a dead feed, sent by a stranger, blocks nothing; an asset that moves needs its
    ///      price.
    function test_constitution_unmovedDustWithoutAPrice() public {
        vm.startPrank(account);
        weth.transfer(address(1), weth.balanceOf(account) - 1);
        vm.stopPrank();
        Delegation memory by = _caged(_governed());
        wethFeed.set(3000e8, vm.getBlockTimestamp() - 2 hours);
        _pay(by, 1e6);
        vm.expectPartialRevert(Prices.FeedStale.selector);
        _redeem(by, BATCH, _swap(1e6, account));
    }

    /// @dev Without a price, a real holding is omitted and the portfolio shrinks: the drawdown check refuses.
    function test_constitution_revert_unmovedHoldingWithoutAPrice() public {
        Delegation memory by = _caged(_governed());
        _pay(by, 1e6);
        wethFeed.set(3000e8, vm.getBlockTimestamp() - 2 hours);
        vm.expectPartialRevert(IPolicyCage.DrawdownExceeded.selector);
        _pay(by, 1e6);
    }

    // --- Closing

    function test_closing_passesWhatIsDown() public {
        vm.startPrank(account);
        usdc.approve(address(vault), type(uint256).max);
        vault.deposit(100e6, account);
        vm.stopPrank();
        SettableFeed sequencer = new SettableFeed(1);
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.SEQUENCER | CageTerms.VAULT_NAV);
        b.sections =
            abi.encodePacked(address(sequencer), abi.encodePacked(address(vault), uint16(10_000), uint40(50_00)));
        Delegation memory by = _caged(b);
        vm.mockCallRevert(address(vault), abi.encodeCall(IERC4626.totalAssets, ()), "down");
        bytes memory leave = _single(address(vault), 0, abi.encodeCall(IERC4626.redeem, (1e6, account, account)));
        vm.expectPartialRevert(Prices.SequencerDown.selector);
        _pay(by, 1);
        // The vault reads its own `totalAssets`.
        vm.clearMockedCalls();
        _setVitals(0, false, 0, 0, 0);
        _redeem(by, SINGLE, leave);
        _redeem(by, SINGLE, _single(address(usdc), 0, _approve(address(router), 0)));
    }

    /// @dev Neither the cap of an execution nor a vault that does not answer limits closing.
    function test_closing_passesTheVaultsShare() public {
        address dead = makeAddr("a vault that does not answer");
        Bounds memory b = _bounds();
        b.extras = uint16(CageTerms.VAULT_NAV);
        b.sections = abi.encodePacked(dead, uint16(10_000), uint40(50_00));
        Delegation memory by = _caged(b);
        _redeem(by, SINGLE, _single(address(usdc), 0, _approve(address(router), 0)));
        vm.expectRevert();
        _pay(by, 1);
    }

    // --- An observer

    /// @dev No asset, one publishing contract: it can store notes and nothing else.
    function test_observer_publishesOnly() public {
        Notebook notebook = new Notebook();
        Bounds memory b = _bounds();
        b.classes = uint16(ActionClass.PUBLISH);
        b.settlement = 255;
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(0), uint8(1), uint8(1)),
            abi.encodePacked(Mandate.PUBLISH, address(notebook), Notebook.note.selector),
            payee
        );
        Delegation memory by = _caged(b);
        _redeem(by, SINGLE, _single(address(notebook), 0, abi.encodeCall(Notebook.note, (7))));
        assertEq(notebook.notes(), 1);

        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, address(usdc)));
        _pay(by, 1);
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, address(0)));
        _redeem(by, SINGLE, _single(payee, 1, ""));
        vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, address(notebook), bytes4(0x01020304)));
        _redeem(by, SINGLE, _single(address(notebook), 0, hex"01020304"));
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, address(router)));
        _redeem(by, SINGLE, _single(address(router), 0, _swapData(1, account)));
    }

    // --- Parts

    /// @dev Everything is approved, at any share; no loss is allowed.
    function _governed() private returns (Bounds memory b) {
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](2);
        (address first, address second) =
            address(usdc) < address(weth) ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        assets[0] = IPolicyCage.AssetLimit(first, 10_000);
        assets[1] = IPolicyCage.AssetLimit(second, 10_000);
        bytes32 hash = policyCage.enact(
            IPolicyCage.Constitution(assets, IPolicyCage.Limits(1_000_00, 1_000_00, 1_000_00, 1 hours, 500), bytes32(0))
        );
        b = _bounds();
        b.extras = uint16(CageTerms.CONSTITUTION);
        b.sections = abi.encodePacked(hash);
    }

    /// @dev Enough USDC is sold into the pool to double the price of WETH.
    function _pushPool() private {
        usdc.mint(address(this), 150_000_000e6);
        usdc.approve(address(router), type(uint256).max);
        (bool ok,) = address(router).call(_swapData(150_000_000e6, address(this)));
        assertTrue(ok);
    }
}
