// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EnforcerTest, ICaveatEnforcer, VitalSigns} from "./EnforcerTest.sol";
import {DreamModeEnforcer} from "../../src/enforcers/DreamModeEnforcer.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";

contract DreamModeEnforcerTest is EnforcerTest {
    DreamModeEnforcer private enforcer = new DreamModeEnforcer(vitals);

    function _isManaged() internal pure override returns (bool) {
        return false;
    }

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _goodTerms() internal pure override returns (bytes memory) {
        return abi.encodePacked(GOLEM);
    }

    function test_beforeHook_revert_dreaming() public {
        _setVitals(0, 0, 0, 0, VitalSigns.ALIVE | VitalSigns.DREAMING);
        bytes memory reason = abi.encodeWithSelector(Vitality.GolemDreaming.selector, GOLEM);
        _refuses(_goodTerms(), _payment(10e6), reason);
        _refuses(_goodTerms(), "", BATCH, _batch(_paymentCall(10e6)), reason);
    }

    function test_beforeHook_wakesUp() public {
        _setVitals(0, 0, 0, 0, VitalSigns.ALIVE | VitalSigns.DREAMING);
        _setVitals(0, 0, 0, 0, VitalSigns.ALIVE);
        _before(_goodTerms(), SINGLE, _payment(10e6));
    }

    function test_beforeHook_revert_unregistered() public {
        _unregister();
        _refuses(_goodTerms(), _payment(10e6), abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    function test_beforeHook_revert_dead() public {
        _setVitals(0, 0, 0, 0, VitalSigns.DEAD);
        _refuses(_goodTerms(), _payment(10e6), abi.encodeWithSelector(Vitality.GolemNotAlive.selector, GOLEM));
    }

    function test_beforeHook_revert_noOracle() public {
        enforcer = new DreamModeEnforcer(DreamModeEnforcer(address(enforcer)).vitals());
        vm.clearMockedCalls();
        vm.expectRevert();
        vm.prank(manager);
        enforcer.beforeHook(_goodTerms(), "", SINGLE, _payment(10e6), HASH, account, redeemer);
    }
}
