// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LivingGolem} from "../attack/LivingGolem.sol";
import {ISwapRouter02} from "../Framework.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {VitalSigns} from "../../src/libraries/VitalSigns.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title Every actor except the owner: the Golem's key, the operator, strangers; they post, register, reset, adopt and
///        redeem
/// @dev The owner signed payments to one payee and swaps of USDC for WETH, with sizes that shrink with the phase.
contract Crowd is LivingGolem {
    using VitalSigns for uint256;

    IPolicyCage private policy;
    address[3] private actors;
    uint256[3] private keys;
    uint256 private resets;
    /// @dev The latest phase that was posted since the owner's last reset.
    uint256 public posted;
    bool public dead;
    uint256 public violations;
    uint256 public landed;

    function setUp() public override {
        super.setUp();
        policy = IPolicyCage(_deployOurs("PolicyCage", ""));
        (actors[0], keys[0]) = (session, sessionKey);
        (actors[1], keys[1]) = makeAddrAndKey("operator");
        (actors[2], keys[2]) = makeAddrAndKey("stranger");
        Bounds memory b = _lifeBounds();
        b.classes = uint16(ActionClass.SWAP | ActionClass.PAYMENT | ActionClass.APPROVE);
        // The method of a deposit, but not its class; swaps by one of four methods.
        b.methods =
            uint24(Methods.TRANSFER_BIT | Methods.APPROVE_BIT | Methods.EXACT_INPUT_SINGLE_BIT | Methods.DEPOSIT_BIT);
        b.pairs = 1 << 1;
        b.settlement = 255;
        b.dayCents = 500_00;
        b.sizes = [uint24(100), 80, 60, 40, 0];
        _keep(d, _caged(b));
    }

    // --- What they can write

    function post(uint256 who, uint8 phase, uint16 score) external {
        phase = uint8(bound(phase, 0, 5));
        vm.prank(actors[who % 3]);
        try live.post(golem, phase, score) {
            _notePhase(phase);
        } catch {}
    }

    function publish(uint256 who, uint8 phase, bool dreaming, int8 mood) external {
        phase = uint8(bound(phase, 0, 5));
        vm.prank(actors[who % 3]);
        try live.publish(golem, phase, 5_000, dreaming, mood, mood, mood) {
            _notePhase(phase);
        } catch {}
    }

    function wakeUp(uint256 who) external {
        vm.prank(actors[who % 3]);
        try live.setDreaming(golem, false) {} catch {}
    }

    function handOver(uint256 who, uint256 to) external {
        vm.prank(actors[who % 3]);
        try live.handOver(golem, actors[to % 3]) {} catch {}
    }

    function register(uint256 who, bytes32 salt, bool theSame) external {
        if (theSame) salt = SALT;
        bytes memory signature = _registration(keys[who % 3], owner, actors[who % 3], salt);
        try live.register(owner, actors[who % 3], salt, signature) returns (bytes32 made) {
            if (made == golem) ++violations;
        } catch {}
    }

    function resetWithoutTheOwner(uint256 who, uint8 phase, uint256 nonce) external {
        nonce = bound(nonce, 0, resets);
        bytes memory signature = _resetSignature(keys[who % 3], uint8(bound(phase, 0, 4)), nonce, block.timestamp);
        try live.resetPhase(owner, session, SALT, uint8(bound(phase, 0, 4)), nonce, block.timestamp, signature) {
            ++violations;
        } catch {}
    }

    function replayTheOwnersReset(uint8 phase, uint256 nonce) external {
        if (resets == 0) return;
        nonce = bound(nonce, 0, resets - 1);
        phase = uint8(bound(phase, 0, 4));
        bytes memory signature = _resetSignature(ownerKey, phase, nonce, type(uint256).max);
        try live.resetPhase(owner, session, SALT, phase, nonce, type(uint256).max, signature) {
            ++violations;
        } catch {}
    }

    function adopt(uint256 who, uint64 cents) external {
        IPolicyCage.Limits memory limits = IPolicyCage.Limits(cents, cents, cents, 1, 10_000);
        bytes32 hash = policy.enact(IPolicyCage.Constitution(new IPolicyCage.AssetLimit[](0), limits, 0));
        vm.prank(who % 2 == 0 ? account : actors[who % 3]);
        policy.adopt(hash);
    }

    /// @dev Rarely, because nothing happens afterwards.
    function deregister(uint256 who, uint256 chance) external {
        if (chance % 32 != 0) return;
        vm.prank(actors[who % 3]);
        try live.deregister(golem) {
            dead = true;
        } catch {}
    }

    /// @dev The only action of the owner.
    function ownerResets(uint8 phase) external {
        phase = uint8(bound(phase, 0, 4));
        bytes memory signature = _resetSignature(ownerKey, phase, resets, block.timestamp);
        try live.resetPhase(owner, session, SALT, phase, resets, block.timestamp, signature) {
            ++resets;
            posted = phase;
        } catch {}
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 12 hours));
        wethFeed.set(3000e8, block.timestamp);
    }

    // --- What was signed

    function pay(uint256 amount) external {
        amount = bound(amount, 1, 120e6);
        _attempt(SINGLE, _single(address(usdc), 0, _transfer(payee, amount)), amount, false);
    }

    function swap(uint256 amount) external {
        amount = bound(amount, 1e6, 120e6);
        _attempt(BATCH, _swap(amount, account), amount, true);
    }

    // --- What was not: none of these may ever land

    function payThief(uint256 amount) external {
        _forbidden(SINGLE, _single(address(usdc), 0, _transfer(thief, bound(amount, 0, 1e6))));
    }

    function deposit(uint256 amount) external {
        amount = bound(amount, 1, 10e6);
        _forbidden(
            BATCH,
            _batch(
                _call(address(usdc), _approve(address(vault), amount)),
                _call(address(vault), abi.encodeCall(IERC4626.deposit, (amount, account)))
            )
        );
    }

    function swapTheOtherWay(uint256 amount) external {
        amount = bound(amount, 1, 0.01 ether);
        bytes memory data = abi.encodeCall(
            ISwapRouter02.exactInputSingle,
            (ISwapRouter02.ExactInputSingleParams(address(weth), address(usdc), 500, account, amount, 0, 0))
        );
        _forbidden(BATCH, _batch(_call(address(weth), _approve(address(router), amount)), _call(address(router), data)));
    }

    function swapByAnotherMethod(uint256 amount) external {
        amount = bound(amount, 1, 10e6);
        bytes memory path = abi.encodePacked(address(usdc), uint24(500), address(weth));
        bytes memory data =
            abi.encodeCall(ISwapRouter02.exactInput, (ISwapRouter02.ExactInputParams(path, account, amount, 0)));
        _forbidden(BATCH, _batch(_call(address(usdc), _approve(address(router), amount)), _call(address(router), data)));
    }

    // --- The judge

    function _attempt(bytes32 mode, bytes memory execution, uint256 micros, bool swaps) private {
        try this.redeem(mode, execution) {
            ++landed;
            uint256 phase = live.vitalsOf(golem).phase();
            uint256[5] memory sizes = [uint256(100e6), 80e6, 60e6, 40e6, 0];
            bool late = block.timestamp > 1_800_000_000 + 30 days;
            bool fit = !dead && !live.vitalsOf(golem).isDreaming() && !late && micros <= sizes[phase];
            if (!fit || (swaps && phase > 1)) ++violations;
        } catch {}
    }

    function _forbidden(bytes32 mode, bytes memory execution) private {
        try this.redeem(mode, execution) {
            ++violations;
        } catch {}
    }

    function redeem(bytes32 mode, bytes memory execution) external {
        _redeem(d, mode, execution);
    }

    function _notePhase(uint256 phase) private {
        if (phase < posted) ++violations;
        posted = phase;
    }

    function phaseNow() external view returns (uint256) {
        return live.vitalsOf(golem).phase();
    }

    function thiefsGain() external view returns (uint256) {
        return usdc.balanceOf(thief) + weth.balanceOf(thief) + vault.balanceOf(account);
    }
}

/// @title Promise P2 (docs/design.md#promises): only the owner widens
contract OnlyOwnerWidensTest is LivingGolem {
    Crowd internal crowd;

    function setUp() public override {
        crowd = new Crowd();
        crowd.setUp();
        bytes4[] memory selectors = new bytes4[](17);
        (selectors[0], selectors[1], selectors[2]) =
        (Crowd.post.selector, Crowd.publish.selector, Crowd.wakeUp.selector);
        (selectors[3], selectors[4], selectors[5]) =
        (Crowd.handOver.selector, Crowd.register.selector, Crowd.resetWithoutTheOwner.selector);
        (selectors[6], selectors[7], selectors[8]) =
        (Crowd.replayTheOwnersReset.selector, Crowd.adopt.selector, Crowd.deregister.selector);
        (selectors[9], selectors[10], selectors[11]) =
        (Crowd.ownerResets.selector, Crowd.wait_.selector, Crowd.pay.selector);
        (selectors[12], selectors[13], selectors[14]) =
        (Crowd.swap.selector, Crowd.payThief.selector, Crowd.deposit.selector);
        (selectors[15], selectors[16]) = (Crowd.swapTheOtherWay.selector, Crowd.swapByAnotherMethod.selector);
        targetContract(address(crowd));
        targetSelector(FuzzSelector(address(crowd), selectors));
    }

    /// @dev Nothing beyond the signed classes, methods, pairs, payees, sizes, phases and window ever landed, and no
    ///      phase moved back without the owner.
    function invariant_nothingBeyondWhatWasSigned() public view {
        assertEq(crowd.violations(), 0);
        assertEq(crowd.thiefsGain(), 0);
        assertEq(crowd.phaseNow(), crowd.posted());
    }
}
