// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, EnforcerTest, ICaveatEnforcer} from "./EnforcerTest.sol";
import {CadenceEnforcer} from "../../src/enforcers/CadenceEnforcer.sol";
import {Lifetime} from "../../src/libraries/Lifetime.sol";

contract CadenceEnforcerTest is EnforcerTest {
    CadenceEnforcer private enforcer = new CadenceEnforcer(manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _goodTerms() internal pure override returns (bytes memory) {
        return _every(LINEAGE, 7 days);
    }

    function _every(bytes32 lineage, uint256 interval) private pure returns (bytes memory) {
        return abi.encodePacked(lineage, uint32(interval));
    }

    function test_beforeHook_interval(uint32 interval, uint32 passed) public {
        interval = uint32(bound(interval, 1, type(uint32).max));
        uint256 first = vm.getBlockTimestamp();
        _before(_every(LINEAGE, interval), SINGLE, _payment(10e6));
        assertEq(enforcer.lastExecution(account, LINEAGE), first);
        skip(passed);
        if (passed >= interval) _before(_every(LINEAGE, interval), SINGLE, _payment(10e6));
        else _refuses(_every(LINEAGE, interval), _payment(10e6), _tooSoon(first, interval));
    }

    function test_beforeHook_revert_aSecondEarly() public {
        uint256 first = vm.getBlockTimestamp();
        _redeem(_goodTerms(), SINGLE, _payment(10e6));
        skip(7 days - 1);
        _refuses(_goodTerms(), _payment(10e6), _tooSoon(first, 7 days));
        skip(1);
        _redeem(_goodTerms(), SINGLE, _payment(10e6));
    }

    function test_beforeHook_revert_twiceInOneTransaction() public {
        _before(_every(LINEAGE, 1), SINGLE, _payment(10e6));
        _refuses(_every(LINEAGE, 1), _payment(10e6), _tooSoon(block.timestamp, 1));
    }

    function test_beforeHook_revert_signedAgain() public {
        _before(_goodTerms(), SINGLE, _payment(10e6));
        vm.expectRevert(_tooSoon(block.timestamp, 7 days));
        vm.prank(manager);
        enforcer.beforeHook(_goodTerms(), "", SINGLE, _payment(10e6), keccak256("another"), account, redeemer);
    }

    function test_beforeHook_lineagesAreIndependent() public {
        _before(_goodTerms(), SINGLE, _payment(10e6));
        _before(_every("another", 7 days), SINGLE, _payment(10e6));
    }

    function test_beforeHook_delegatorsAreIndependent() public {
        _before(_goodTerms(), SINGLE, _payment(10e6));
        vm.prank(manager);
        enforcer.beforeHook(_goodTerms(), "", SINGLE, _payment(10e6), HASH, stranger, redeemer);
    }

    function test_beforeHook_revert_noInterval() public {
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, 0);
        _refuses(_every(LINEAGE, 0), _payment(10e6), reason);
    }

    function _tooSoon(uint256 last, uint256 interval) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Lifetime.TooSoon.selector, last, interval);
    }
}
