// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {Test} from "forge-std/Test.sol";
import {FixedFeed} from "../../src/oracles/FixedFeed.sol";

contract FixedFeedTest is Test {
    function test_latestRoundData_isAlwaysOfNow(int256 price, uint8 decimals, uint40 time) public {
        FixedFeed feed = new FixedFeed(price, decimals, "USDC / USD");
        vm.warp(time);
        (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound) =
            feed.latestRoundData();
        assertEq(answer, price);
        assertEq(feed.answer(), price);
        assertEq(feed.decimals(), decimals);
        assertEq(feed.description(), "USDC / USD");
        assertEq(startedAt, time);
        assertEq(updatedAt, time);
        assertEq(answeredInRound, roundId);
    }

    function test_constructor_revert_longDescription() public {
        string memory long = "a description of thirty-two byte";
        vm.expectRevert(abi.encodeWithSelector(ShortStrings.StringTooLong.selector, long));
        new FixedFeed(1e8, 8, long);
    }
}
