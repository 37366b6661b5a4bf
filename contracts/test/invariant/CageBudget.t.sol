// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "../attack/Attack.sol";
import {Delegation, Execution, INonfungiblePositionManager} from "../Framework.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title An actor with the session key who pays, trades, deposits, withdraws, adds liquidity, signs nothing, and waits
/// @dev Keeps its own ledger for each of two lineages, by balances alone: the outflows of the account, their times and
///      their values.
contract Thief is Attack {
    struct Entry {
        uint256 timestamp;
        uint256 micros;
    }

    bytes32 private constant OTHER = keccak256("the owner's other Golem");

    Entry[][2] internal ledgers;
    Delegation[4] internal grants;
    /// @notice The outflow in the worst 24 hours of each lineage, in millionths of a dollar.
    uint256[2] public worst;
    uint256 public landed;
    uint256 public refused;

    function setUp() public override {
        super.setUp();
        // Three signatures of one lineage, as after two renewals, the widest for 1,000 dollars a day; and one of
        // another lineage, for 400.
        for (uint256 i; i < 4; ++i) {
            Bounds memory b = _bounds();
            b.dayCents = uint32(i == 3 ? 400_00 : 1_000_00 - 250_00 * i);
            // With unlimited slippage, only the recipient check keeps a swap honest.
            if (i == 3) (b.golem, b.slippage) = (OTHER, 10_000);
            _keep(grants[i], _again(b, i));
        }
        _grow(OTHER);
    }

    function pay(uint256 grant, uint256 amount) external {
        amount = bound(amount, 0, 1_200e6);
        _attempt(grant, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    /// @dev The remaining limit of the day, to the last cent.
    function payTheRest(bool other) external {
        uint256 spent = _spentCents(account, other ? OTHER : GOLEM);
        uint256 amount = ((other ? 400_00 : 1_000_00) - spent) * 10_000;
        _attempt(other ? 3 : 0, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function payCents(uint256 grant, uint256 amount) external {
        amount = bound(amount, 1, 20_000);
        _attempt(grant, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    function swap(uint256 grant, uint256 amount, bool toThief) external {
        amount = bound(amount, 0, 1_200e6);
        _attempt(grant, BATCH, _swap(amount, toThief ? thief : account));
    }

    function deposit(uint256 grant, uint256 amount, bool byShares) external {
        amount = bound(amount, 1, 1_200e6);
        bytes memory data = byShares
            ? abi.encodeCall(IERC4626.mint, (vault.convertToShares(amount), account))
            : abi.encodeCall(IERC4626.deposit, (amount, account));
        _attempt(
            grant, BATCH, _batch(_call(address(usdc), _approve(address(vault), amount)), _call(address(vault), data))
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

    function addLiquidity(uint256 grant, uint256 amount, bool toThief) external {
        amount = bound(amount, 1e6, 600e6);
        uint256 wei_ = amount * 1e12 / 3000;
        bool usdcFirst = address(usdc) < address(weth);
        INonfungiblePositionManager.MintParams memory params;
        (params.token0, params.token1) = usdcFirst ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (params.amount0Desired, params.amount1Desired) = usdcFirst ? (amount, wei_) : (wei_, amount);
        (params.fee, params.tickLower, params.tickUpper) = (500, -887_270, 887_270);
        (params.recipient, params.deadline) = (toThief ? thief : account, block.timestamp);
        Execution[] memory list = new Execution[](5);
        list[0] = _call(address(usdc), _approve(address(positions), amount));
        list[1] = _call(address(weth), _approve(address(positions), wei_));
        list[2] = _call(address(positions), abi.encodeCall(INonfungiblePositionManager.mint, (params)));
        list[3] = _call(address(usdc), _approve(address(positions), 0));
        list[4] = _call(address(weth), _approve(address(positions), 0));
        _attempt(grant, BATCH, abi.encode(list));
    }

    /// @dev Takes the position with the highest number, whose recipient may be the thief.
    function collect(uint256 grant, bool toThief) external {
        bytes memory data = abi.encodeCall(
            INonfungiblePositionManager.collect,
            (INonfungiblePositionManager.CollectParams(
                    2, toThief ? thief : account, type(uint128).max, type(uint128).max
                ))
        );
        _attempt(grant, SINGLE, _single(address(positions), 0, data));
    }

    function approve(uint256 grant, uint256 amount) external {
        _attempt(grant, SINGLE, _single(address(usdc), 0, _approve(address(router), amount)));
    }

    /// @dev Two payments in one call, by two grants of one lineage.
    function payTwice(uint256 grant, uint256 amount) external {
        amount = bound(amount, 1, 600e6);
        uint256 usdcBefore = usdc.balanceOf(account);
        try this.redeemTwo(bound(grant, 0, 2), amount) {
            _book(0, usdcBefore - usdc.balanceOf(account));
        } catch {
            ++refused;
        }
    }

    /// @dev To the edge of one of the budget's buckets, a second before it, or anywhere.
    function wait_(uint256 time, uint256 where) external {
        uint256 next = (block.timestamp / 4 hours + bound(time, 1, 7)) * 4 hours;
        if (where % 3 == 0) vm.warp(next);
        else if (where % 3 == 1) vm.warp(next - 1);
        else vm.warp(block.timestamp + bound(time, 1, 9 hours));
        wethFeed.set(3000e8, block.timestamp);
        _setVitals(0, false, 0, 0, 0);
    }

    function _attempt(uint256 grant, bytes32 mode, bytes memory execution) private {
        uint256 usdcBefore = usdc.balanceOf(account);
        uint256 wethBefore = weth.balanceOf(account);
        grant = bound(grant, 0, 3);
        try this.redeem(grant, mode, execution) {
            uint256 micros;
            if (usdc.balanceOf(account) < usdcBefore) micros += usdcBefore - usdc.balanceOf(account);
            if (weth.balanceOf(account) < wethBefore) {
                micros += (wethBefore - weth.balanceOf(account)) * 3000 / 1e12;
            }
            _book(grant / 3, micros);
        } catch {
            ++refused;
        }
    }

    function _book(uint256 lineage, uint256 micros) private {
        ++landed;
        Entry[] storage ledger = ledgers[lineage];
        ledger.push(Entry(block.timestamp, micros));
        uint256 sum;
        for (uint256 i = ledger.length; i > 0 && ledger[i - 1].timestamp + 24 hours > block.timestamp; --i) {
            sum += ledger[i - 1].micros;
        }
        if (sum > worst[lineage]) worst[lineage] = sum;
    }

    function redeem(uint256 grant, bytes32 mode, bytes memory execution) external {
        _redeem(grants[grant], mode, execution);
    }

    function redeemTwo(uint256 grant, uint256 amount) external {
        bytes[] memory contexts = new bytes[](2);
        bytes[] memory executions = new bytes[](2);
        for (uint256 i; i < 2; ++i) {
            Delegation[] memory chain = new Delegation[](1);
            chain[0] = grants[(grant + i) % 3];
            contexts[i] = abi.encode(chain);
            executions[i] = _single(address(usdc), 0, _transfer(payee, amount));
        }
        vm.prank(session);
        manager.redeemDelegations(contexts, new bytes32[](2), executions);
    }

    function thiefsGain() external view returns (uint256) {
        return usdc.balanceOf(thief) + weth.balanceOf(thief) + positions.balanceOf(thief) + vault.balanceOf(thief);
    }

    function standingApprovals() external view returns (uint256) {
        return usdc.allowance(account, address(router)) + usdc.allowance(account, address(vault))
            + usdc.allowance(account, address(positions)) + weth.allowance(account, address(positions));
    }
}

/// @title Promises P1, P4, P5 and P6 (docs/design.md#promises) against everything that a stolen session key can do
contract CageBudgetTest is Attack {
    Thief internal handler;

    function setUp() public override {
        handler = new Thief();
        handler.setUp();
        bytes4[] memory selectors = new bytes4[](11);
        (selectors[0], selectors[1], selectors[2]) = (Thief.pay.selector, Thief.payCents.selector, Thief.swap.selector);
        (selectors[3], selectors[4]) = (Thief.deposit.selector, Thief.withdraw.selector);
        (selectors[5], selectors[6]) = (Thief.approve.selector, Thief.wait_.selector);
        (selectors[7], selectors[8], selectors[9]) =
        (Thief.addLiquidity.selector, Thief.collect.selector, Thief.payTwice.selector);
        selectors[10] = Thief.payTheRest.selector;
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), selectors));
    }

    /// @dev P1 and P6: one budget for all signatures of a lineage, in any 24 hours, and separate budgets for two
    ///      lineages.
    function invariant_noDayTakesMoreThanWasSigned() public view {
        assertLe(handler.worst(0), 1_000e6);
        assertLe(handler.worst(1), 400e6);
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
