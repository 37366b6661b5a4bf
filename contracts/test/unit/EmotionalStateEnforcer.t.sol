// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, EnforcerTest, ICaveatEnforcer, VitalSigns} from "./EnforcerTest.sol";
import {EmotionalStateEnforcer} from "../../src/enforcers/EmotionalStateEnforcer.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";

contract EmotionalStateEnforcerTest is EnforcerTest {
    EmotionalStateEnforcer private enforcer = new EmotionalStateEnforcer(vitals, policyCage, manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _moodTerms(-50, 50, -50, ActionClass.SWAP | ActionClass.ADD_LIQUIDITY, USDC);
    }

    function _moodTerms(int8 pleasure, int8 arousal, int8 dominance, uint256 restricted, uint8 settlement)
        private
        view
        returns (bytes memory)
    {
        return abi.encodePacked(GOLEM, pleasure, arousal, dominance, uint16(restricted), settlement, _mandate());
    }

    function test_beforeHook_mood(int8[3] memory bounds, int8[3] memory mood) public {
        _setVitals(0, mood[0], mood[1], mood[2], VitalSigns.ALIVE);
        bytes memory terms = _moodTerms(bounds[0], bounds[1], bounds[2], ActionClass.SWAP, USDC);
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), 1e6));
        if (mood[0] >= bounds[0] && mood[1] <= bounds[1] && mood[2] >= bounds[2]) _before(terms, SINGLE, execution);
        else _refuses(terms, execution, _outOfBounds(mood[0], mood[1], mood[2]));
    }

    function test_beforeHook_eachBoundCounts() public {
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), 1e6));
        _setVitals(0, -50, 50, -50, VitalSigns.ALIVE);
        _before(_goodTerms(), SINGLE, execution);
        _setVitals(0, -51, 50, -50, VitalSigns.ALIVE);
        _refuses(_goodTerms(), execution, _outOfBounds(-51, 50, -50));
        _setVitals(0, -50, 51, -50, VitalSigns.ALIVE);
        _refuses(_goodTerms(), execution, _outOfBounds(-50, 51, -50));
        _setVitals(0, -50, 50, -51, VitalSigns.ALIVE);
        _refuses(_goodTerms(), execution, _outOfBounds(-50, 50, -51));
    }

    function test_beforeHook_upset_restsUnrestricted() public {
        _setVitals(0, -100, 100, -100, VitalSigns.ALIVE);
        _before(_goodTerms(), SINGLE, _payment(10e6));
        _before(_goodTerms(), SINGLE, _single(_withdrawCall(1e6)));
        // Unwinding is not a swap, if a settlement asset is signed.
        bytes memory unwind = _single(_swapCall(address(weth), address(usdc), 1e18));
        _before(_goodTerms(), SINGLE, unwind);
        _refuses(_moodTerms(-50, 50, -50, ActionClass.SWAP, 255), unwind, _outOfBounds(-100, 100, -100));
    }

    function test_beforeHook_upset_batchWithOneRestrictedCall() public {
        _setVitals(0, -100, 0, 0, VitalSigns.ALIVE);
        bytes memory execution =
            _batch(_approveCall(address(usdc), router, 1e6), _swapCall(address(usdc), address(weth), 1e6));
        _refuses(_goodTerms(), "", BATCH, execution, _outOfBounds(-100, 0, 0));
    }

    function test_beforeHook_revert_restrictedUnknown(uint16 restricted) public {
        restricted = uint16(bound(restricted, ActionClass.ALL + 1, type(uint16).max));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, restricted);
        _refuses(_moodTerms(-50, 50, -50, restricted, USDC), _payment(10e6), reason);
        reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 0);
        _refuses(_moodTerms(-50, 50, -50, 0, USDC), _payment(10e6), reason);
    }

    function test_beforeHook_revert_settlementUnknown(uint8 settlement) public {
        settlement = uint8(bound(settlement, 3, 254));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, settlement);
        _refuses(_moodTerms(-50, 50, -50, ActionClass.SWAP, settlement), _payment(10e6), reason);
    }

    function test_beforeHook_revert_unregistered() public {
        _unregister();
        _refuses(_goodTerms(), _payment(10e6), abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    function test_beforeHook_revert_dead() public {
        _setVitals(0, 0, 0, 0, VitalSigns.DEAD);
        _refuses(_goodTerms(), _payment(10e6), abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    function test_beforeHook_revert_undecodable() public {
        bytes memory execution = abi.encodePacked(router, uint256(0), bytes4("what"));
        _refuses(
            _goodTerms(), execution, abi.encodeWithSelector(Actions.MethodUnknown.selector, router, bytes4("what"))
        );
    }

    function _outOfBounds(int8 pleasure, int8 arousal, int8 dominance) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Vitality.MoodOutOfBounds.selector, pleasure, arousal, dominance);
    }
}
