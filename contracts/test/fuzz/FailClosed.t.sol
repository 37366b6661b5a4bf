// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "../attack/Attack.sol";
import {Refusals} from "./Refusals.sol";
import {SettableFeed} from "../CageWorld.sol";
import {Delegation, Execution, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {IVitals} from "../../src/interfaces/IVitals.sol";
import {Calls} from "../../src/libraries/Calls.sol";
import {LiquidityActions} from "../../src/libraries/LiquidityActions.sol";
import {Prices} from "../../src/libraries/Prices.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title Promise P3 (docs/design.md#promises): what cannot be decoded is refused, with Bardo's own errors
/// @dev The Cage refuses with one of Bardo's errors only: no panic, no revert without data. What it allows stays within
///      the day's limit, and nothing of it reaches a stranger.
contract FailClosedTest is Attack, Refusals {
    function setUp() public override {
        super.setUp();
        // Golems that are not registered.
        vm.mockCall(vitals, abi.encodePacked(IVitals.vitalsOf.selector), abi.encode(uint256(0)));
        _setVitals(0, false, 0, 0, 0);
    }

    // --- Executions

    /// @dev A valid execution with up to three bytes changed.
    function testFuzz_execution_garbled(uint256 which, uint256 first, uint256 second, uint256 third) public {
        (bytes32 mode, bytes memory execution) = _honest(which % 7);
        _flip(execution, first);
        _flip(execution, second);
        _flip(execution, third);
        _judge(d, mode, execution);
    }

    /// @dev A valid execution, cut or extended.
    function testFuzz_execution_cut(uint256 which, uint256 length, bytes memory tail) public {
        (bytes32 mode, bytes memory execution) = _honest(which % 7);
        execution = _slice(execution, 0, bound(length, 0, execution.length));
        _judge(d, mode, abi.encodePacked(execution, tail));
    }

    function testFuzz_execution_noise(bool batch, bytes memory execution) public {
        _judge(d, batch ? BATCH : SINGLE, execution);
    }

    function testFuzz_call_unknownMethod(uint256 which, bytes4 selector, bytes memory data) public {
        address[5] memory targets = [address(usdc), address(router), address(vault), address(positions), pool];
        _judge(d, SINGLE, _single(targets[which % 5], 0, abi.encodePacked(selector, data)));
    }

    /// @dev Every known method, with the right length, and valid or random arguments.
    function testFuzz_call_knownMethod(uint256 which, uint256 method, uint256 seed, bytes memory tail) public {
        address[4] memory targets = [address(usdc), address(router), address(vault), address(positions)];
        uint8[17] memory words = [2, 2, 7, 9, 7, 9, 5, 6, 11, 6, 5, 4, 1, 2, 2, 3, 3];
        method = method % known.length;
        bytes memory data = abi.encodePacked(known[method]);
        for (uint256 i; i < words[method]; ++i) {
            data = abi.encodePacked(data, _word(uint256(keccak256(abi.encode(seed, i)))));
        }
        if (seed % 8 == 0) data = abi.encodePacked(data, tail);
        _judge(d, SINGLE, _single(targets[which % 4], 0, data));
    }

    /// @dev A word that a valid call might contain, or not.
    function _word(uint256 seed) private view returns (uint256) {
        uint256 kind = seed % 12;
        if (kind == 0) return uint160(account);
        if (kind == 1) return uint160(address(usdc));
        if (kind == 2) return uint160(address(weth));
        if (kind == 3) return uint160(payee);
        if (kind == 4) return uint160(address(vault));
        if (kind == 5) return uint160(thief);
        if (kind == 6) return 32 * ((seed >> 8) % 8);
        if (kind == 7) return 500;
        if (kind == 8) return (seed >> 8) % 10_000e6;
        if (kind == 9) return (seed >> 8) % 4;
        if (kind == 10) return seed >> (seed >> 8) % 256;
        return block.timestamp;
    }

    function testFuzz_increaseLiquidity_ofWhosePosition(uint256 id, uint256 amount, bool small) public {
        if (small) id = bound(id, 0, 3);
        INonfungiblePositionManager.IncreaseLiquidityParams memory params;
        (params.tokenId, params.amount0Desired, params.amount1Desired) = (id, amount, amount);
        params.deadline = block.timestamp;
        bytes memory data = abi.encodeCall(INonfungiblePositionManager.increaseLiquidity, (params));
        address holder = id == 1 ? address(this) : address(0);
        vm.expectRevert(abi.encodeWithSelector(LiquidityActions.PositionNotOwned.selector, id, holder));
        this.redeem(d, SINGLE, _single(address(positions), 0, data));
    }

    function testFuzz_call_unknownTarget(address target, uint256 value, bytes memory data) public {
        vm.deal(account, 1 ether);
        _judge(d, SINGLE, _single(target, bound(value, 0, 1 ether), data));
    }

    function testFuzz_mode(bytes32 mode) public {
        if (mode == SINGLE || mode == BATCH) mode = bytes32(uint256(1));
        (, bytes memory execution) = _honest(0);
        vm.expectRevert(abi.encodeWithSelector(Calls.ModeNotSupported.selector, mode));
        vm.prank(address(manager));
        cage.beforeHook(d.caveats[0].terms, "", mode, execution, bytes32(0), account, session);
    }

    // --- Terms

    /// @dev Terms with a byte changed have another meaning, or are refused, before or after. Only if the address of a
    ///      token or a target changed, and no contract answers there, nothing is asserted.
    function testFuzz_terms_garbled(uint256 which, uint256 seed) public {
        bytes memory terms = bytes.concat(d.caveats[0].terms);
        uint256 at = _flip(terms, seed);
        (bytes32 mode, bytes memory execution) = _honest(which % 7);
        (bool ok, bytes memory reason) = _hooks(terms, mode, execution);
        if (ok || (reason.length == 0 && _isContract(at))) return;
        _assertOurs(reason);
    }

    /// @dev Whether a byte of the usual terms belongs to the address of a token or of a target.
    function _isContract(uint256 at) private pure returns (bool) {
        if (at < 121) return false;
        if (at < 121 + 88) return (at - 121) % 44 < 20;
        return at < 209 + 100 && (at - 209) % 25 > 0 && (at - 209) % 25 < 21;
    }

    function testFuzz_terms_cut(uint256 length, bytes memory tail) public {
        bytes memory terms = _slice(d.caveats[0].terms, 0, bound(length, 0, d.caveats[0].terms.length - 1));
        (bytes32 mode, bytes memory execution) = _honest(0);
        _assertOurs(abi.encodePacked(terms, tail), mode, execution);
    }

    function testFuzz_terms_noise(bytes memory terms) public {
        (bytes32 mode, bytes memory execution) = _honest(0);
        _assertOurs(terms, mode, execution);
    }

    // --- Feeds

    function testFuzz_feed_answers(int256 answer, uint256 updatedAt, bool near, bool sane) public {
        if (near) updatedAt = bound(updatedAt, block.timestamp - 2 hours, block.timestamp + 1 hours);
        if (sane) answer = bound(answer, -10, 1e20);
        wethFeed.set(answer, updatedAt);
        bool fresh = updatedAt <= block.timestamp && block.timestamp - updatedAt <= 1 hours;
        try this.redeem(d, SINGLE, _single(address(weth), 0, _transfer(payee, 1))) {
            assertTrue(answer > 0 && fresh);
        } catch (bytes memory reason) {
            if (answer <= 0) {
                assertEq(reason, abi.encodeWithSelector(Prices.FeedNotPositive.selector, address(wethFeed), answer));
            } else if (uint256(answer) > type(uint88).max) {
                assertEq(reason, abi.encodeWithSelector(Prices.PriceNotSupported.selector, uint256(answer), 26));
            } else if (!fresh) {
                assertEq(
                    reason,
                    abi.encodeWithSelector(Prices.FeedStale.selector, address(wethFeed), updatedAt, uint256(1 hours))
                );
            } else {
                _assertOurs(reason);
            }
        }
    }

    /// @dev It reverts, with any data, or returns too little.
    function testFuzz_feed_broken(bytes memory answer, bool reverts) public {
        if (answer.length >= 160) answer = _slice(answer, 0, answer.length % 160);
        bytes memory query = abi.encodeCall(SettableFeed.latestRoundData, ());
        if (reverts) vm.mockCallRevert(address(wethFeed), query, answer);
        else vm.mockCall(address(wethFeed), query, answer);
        vm.expectRevert(abi.encodeWithSelector(Prices.FeedUnavailable.selector, address(wethFeed)));
        this.redeem(d, SINGLE, _single(address(weth), 0, _transfer(payee, 1)));
    }

    // --- Golems and args

    function testFuzz_golem_unknown(bytes32 golem) public {
        Bounds memory b = _bounds();
        b.golem = golem;
        if (golem == GOLEM) b.golem = ~golem;
        Delegation memory by = _again(b, 3);
        vm.expectRevert(abi.encodeWithSelector(Vitality.GolemNotAlive.selector, b.golem));
        this.redeem(by, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function testFuzz_args_areNotRead(bytes memory args, uint256 amount) public {
        Delegation memory by = d;
        by.caveats[0].args = args;
        amount = bound(amount, 1, 1_000e6);
        this.redeem(by, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
        assertEq(_spentCents(account, GOLEM), (amount + 9_999) / 10_000);
    }

    // --- The judge

    /// @dev First the Cage alone, which must refuse with Bardo's errors; then the real redemption, which may also fail
    ///      for other reasons.
    function _judge(Delegation memory by, bytes32 mode, bytes memory execution) private {
        uint256 snapshot = vm.snapshotState();
        _assertOurs(by.caveats[0].terms, mode, execution);
        vm.revertToState(snapshot);
        try this.redeem(by, mode, execution) {} catch {}
        uint256 lost = 1_000_000e6 - _min(usdc.balanceOf(account), 1_000_000e6);
        lost += (100 ether - _min(weth.balanceOf(account), 100 ether)) * 3000 / 1e12;
        assertLe(lost, 1_000e6);
        assertEq(usdc.balanceOf(thief) + weth.balanceOf(thief) + vault.balanceOf(thief), 0);
    }

    /// @dev Both hooks, as the manager calls them, with nothing executed in between.
    function _hooks(bytes memory terms, bytes32 mode, bytes memory execution) private returns (bool, bytes memory) {
        vm.prank(address(manager));
        try cage.beforeHook(terms, "", mode, execution, bytes32(0), account, session) {}
        catch (bytes memory reason) {
            return (false, reason);
        }
        vm.prank(address(manager));
        try cage.afterHook(terms, "", mode, execution, bytes32(0), account, session) {
            return (true, "");
        } catch (bytes memory reason) {
            return (false, reason);
        }
    }

    function _assertOurs(bytes memory terms, bytes32 mode, bytes memory execution) private {
        (bool ok, bytes memory reason) = _hooks(terms, mode, execution);
        if (!ok) _assertOurs(reason);
    }

    function redeem(Delegation memory by, bytes32 mode, bytes memory execution) external {
        _redeem(by, mode, execution);
    }

    function _flip(bytes memory data, uint256 seed) private pure returns (uint256 at) {
        at = (seed >> 8) % data.length;
        data[at] = bytes1(uint8(seed));
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    function _honest(uint256 which) private view returns (bytes32, bytes memory) {
        if (which == 0) return (SINGLE, _single(address(usdc), 0, _transfer(payee, 10e6)));
        if (which == 1) return (BATCH, _swap(100e6, account));
        if (which == 2) {
            return (
                BATCH,
                _batch(
                    _call(address(usdc), _approve(address(vault), 100e6)),
                    _call(address(vault), abi.encodeCall(IERC4626.deposit, (100e6, account)))
                )
            );
        }
        if (which == 3) return (SINGLE, _single(address(weth), 0, _transfer(payee, 0.1 ether)));
        if (which == 4) {
            bytes[] memory inner = new bytes[](2);
            (inner[0], inner[1]) = (_swapData(1e6, account), _swapData(2e6, account));
            return (
                BATCH,
                _batch(_call(address(usdc), _approve(address(router), 3e6)), _call(address(router), _multicall(inner)))
            );
        }
        if (which == 5) {
            bytes memory path = abi.encodePacked(address(usdc), uint24(500), address(weth));
            return (
                BATCH,
                _batch(
                    _call(address(usdc), _approve(address(router), 1e6)),
                    _call(
                        address(router),
                        abi.encodeCall(
                            ISwapRouter02.exactInput, (ISwapRouter02.ExactInputParams(path, account, 1e6, 0))
                        )
                    )
                )
            );
        }
        return (BATCH, _mintPosition());
    }

    function _mintPosition() private view returns (bytes memory) {
        bool usdcFirst = address(usdc) < address(weth);
        INonfungiblePositionManager.MintParams memory params;
        (params.token0, params.token1) = usdcFirst ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (params.amount0Desired, params.amount1Desired) =
            usdcFirst ? (uint256(3e6), uint256(1e15)) : (uint256(1e15), uint256(3e6));
        (params.fee, params.tickLower, params.tickUpper) = (500, -887_270, 887_270);
        (params.recipient, params.deadline) = (account, block.timestamp);
        Execution[] memory list = new Execution[](3);
        list[0] = _call(address(usdc), _approve(address(positions), 3e6));
        list[1] = _call(address(weth), _approve(address(positions), 1e15));
        list[2] = _call(address(positions), abi.encodeCall(INonfungiblePositionManager.mint, (params)));
        return abi.encode(list);
    }
}
