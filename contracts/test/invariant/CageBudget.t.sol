// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation} from "../Framework.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title Somebody with the session key who pays, trades, deposits, withdraws, signs nothing, and waits
/// @dev Keeps a ledger of its own, by balances alone: what left the account, when, and what it was worth.
contract Thief is CageWorld {
    struct Entry {
        uint256 timestamp;
        uint256 micros;
    }

    Entry[] internal ledger;
    Delegation[] internal grants;
    uint256 public landed;
    uint256 public refused;

    function setUp() public override {
        super.setUp();
        // Three signatures of one lineage, as after two feedings, the widest of them for 1,000 dollars a day.
        for (uint256 i; i < 3; ++i) {
            Bounds memory b = _bounds();
            b.dayCents = uint32(1_000_00 - 250_00 * i);
            Delegation memory d = _delegation(address(cage), _terms(b));
            d.salt = i;
            d = _sign(d, ownerKey);
            grants.push();
            Delegation storage stored = grants[i];
            (stored.delegate, stored.delegator, stored.authority) = (d.delegate, d.delegator, d.authority);
            (stored.salt, stored.signature) = (d.salt, d.signature);
            stored.caveats.push(d.caveats[0]);
        }
    }

    function pay(uint256 grant, uint256 amount) external {
        amount = bound(amount, 0, 1_200e6);
        _attempt(grant, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function payCents(uint256 grant, uint256 amount) external {
        amount = bound(amount, 1, 20_000);
        _attempt(grant, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function swap(uint256 grant, uint256 amount, bool toThief) external {
        amount = bound(amount, 0, 1_200e6);
        _attempt(grant, BATCH, _swap(amount, toThief ? thief : account));
    }

    function deposit(uint256 grant, uint256 amount) external {
        amount = bound(amount, 1, 1_200e6);
        _attempt(
            grant,
            BATCH,
            _batch(
                _call(address(usdc), _approve(address(vault), amount)),
                _call(address(vault), abi.encodeCall(IERC4626.deposit, (amount, account)))
            )
        );
    }

    function withdraw(uint256 grant, uint256 shares, bool andPay) external {
        shares = bound(shares, 0, vault.balanceOf(account));
        bytes memory redeem = abi.encodeCall(IERC4626.redeem, (shares, account, account));
        if (andPay) {
            _attempt(
                grant, BATCH, _batch(_call(address(vault), redeem), _call(address(usdc), _transfer(payee, shares)))
            );
        } else {
            _attempt(grant, SINGLE, _single(address(vault), 0, redeem));
        }
    }

    function approve(uint256 grant, uint256 amount) external {
        _attempt(grant, SINGLE, _single(address(usdc), 0, _approve(address(router), amount)));
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 9 hours));
        wethFeed.set(3000e8, block.timestamp);
        _setVitals(0, false, 0, 0, 0);
    }

    function _attempt(uint256 grant, bytes32 mode, bytes memory execution) private {
        uint256 usdcBefore = usdc.balanceOf(account);
        uint256 wethBefore = weth.balanceOf(account);
        try this.redeem(bound(grant, 0, 2), mode, execution) {
            ++landed;
            uint256 micros;
            if (usdc.balanceOf(account) < usdcBefore) micros += usdcBefore - usdc.balanceOf(account);
            if (weth.balanceOf(account) < wethBefore) {
                micros += (wethBefore - weth.balanceOf(account)) * 3000 / 1e12;
            }
            ledger.push(Entry(block.timestamp, micros));
        } catch {
            ++refused;
        }
    }

    function redeem(uint256 grant, bytes32 mode, bytes memory execution) external {
        _redeem(grants[grant], mode, execution);
    }

    /// @return most what left in the worst 24 hours, in millionths of a dollar
    function worstDay() external view returns (uint256 most) {
        for (uint256 last; last < ledger.length; ++last) {
            uint256 sum;
            for (uint256 i = last + 1; i > 0 && ledger[i - 1].timestamp + 24 hours > ledger[last].timestamp; --i) {
                sum += ledger[i - 1].micros;
            }
            if (sum > most) most = sum;
        }
    }

    function thiefsGain() external view returns (uint256) {
        return usdc.balanceOf(thief) + weth.balanceOf(thief);
    }

    function standingApprovals() external view returns (uint256) {
        return usdc.allowance(account, address(router)) + usdc.allowance(account, address(vault));
    }
}

/// @title P1, P4, P5 and P6 against everything a stolen session key can do
contract CageBudgetTest is CageWorld {
    Thief internal handler;

    function setUp() public override {
        handler = new Thief();
        handler.setUp();
        bytes4[] memory selectors = new bytes4[](7);
        (selectors[0], selectors[1], selectors[2]) = (Thief.pay.selector, Thief.payCents.selector, Thief.swap.selector);
        (selectors[3], selectors[4]) = (Thief.deposit.selector, Thief.withdraw.selector);
        (selectors[5], selectors[6]) = (Thief.approve.selector, Thief.wait_.selector);
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), selectors));
    }

    /// @dev P1 and P6: one budget for all signatures of a lineage, in any 24 hours.
    function invariant_noDayTakesMoreThanWasSigned() public view {
        assertLe(handler.worstDay(), 1_000e6);
    }

    /// @dev P4.
    function invariant_nothingReachesTheThief() public view {
        assertEq(handler.thiefsGain(), 0);
    }

    /// @dev P5.
    function invariant_noApprovalIsLeftStanding() public view {
        assertEq(handler.standingApprovals(), 0);
    }
}
