// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EnforcerTest, ICaveatEnforcer} from "./EnforcerTest.sol";
import {MortalityTimeWindowEnforcer} from "../../src/enforcers/MortalityTimeWindowEnforcer.sol";
import {Lifetime} from "../../src/libraries/Lifetime.sol";

contract MortalityTimeWindowEnforcerTest is EnforcerTest {
    MortalityTimeWindowEnforcer private enforcer = new MortalityTimeWindowEnforcer();

    function _isManaged() internal pure override returns (bool) {
        return false;
    }

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _window(block.timestamp, block.timestamp);
    }

    function _window(uint256 start, uint256 end) private pure returns (bytes memory) {
        return abi.encodePacked(uint40(start), uint40(end));
    }

    function test_beforeHook_revert_notYetBorn() public {
        uint256 start = block.timestamp + 1;
        _refuses(_window(start, start + 1 days), _payment(10e6), _outside(start, start + 1 days));
    }

    function test_beforeHook_revert_expired() public {
        uint256 end = block.timestamp - 1;
        _refuses(_window(end - 1 days, end), _payment(10e6), _outside(end - 1 days, end));
    }

    function test_beforeHook_window(uint40 start, uint40 end, uint40 timestamp) public {
        vm.warp(timestamp);
        if (timestamp >= start && timestamp <= end) _before(_window(start, end), SINGLE, _payment(10e6));
        else _refuses(_window(start, end), _payment(10e6), _outside(start, end));
    }

    function _outside(uint256 start, uint256 end) private view returns (bytes memory) {
        return abi.encodeWithSelector(Lifetime.OutsideWindow.selector, block.timestamp, start, end);
    }
}
