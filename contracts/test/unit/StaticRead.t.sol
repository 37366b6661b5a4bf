// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {StaticRead} from "../../src/libraries/StaticRead.sol";
import {Test} from "forge-std/Test.sol";

/// @title A contract with answers that a test sets
contract Respondent {
    bytes private answer;
    bool private fails;

    function set(uint256 length, bool fails_) external {
        (answer, fails) = (new bytes(length), fails_);
        for (uint256 i; i < length; ++i) {
            answer[i] = bytes1(uint8(i / 32 + 1));
        }
    }

    fallback(bytes calldata) external returns (bytes memory said) {
        said = answer;
        if (fails) {
            assembly ("memory-safe") {
                revert(add(said, 32), mload(said))
            }
        }
    }
}

/// @title An answer counts if the call succeeds and returns enough
contract StaticReadTest is Test {
    bytes4 private constant QUESTION = "what";

    Respondent private respondent = new Respondent();

    function ask() external view returns (uint256) {
        return StaticRead.word(address(respondent), QUESTION);
    }

    function askAbout() external view returns (uint256) {
        return StaticRead.word(address(respondent), QUESTION, 1);
    }

    function askAboutTwo() external view returns (uint256) {
        return StaticRead.word(address(respondent), QUESTION, address(1), address(2));
    }

    function test_word_readsTheFirstWord() public {
        respondent.set(32, false);
        uint256 ones = type(uint256).max / 255;
        assertEq(this.ask(), ones);
        assertEq(this.askAbout(), ones);
        assertEq(this.askAboutTwo(), ones);
    }

    function test_word_revert_tooShort() public {
        respondent.set(31, false);
        _noneAnswers();
        respondent.set(0, false);
        _noneAnswers();
    }

    function test_word_revert_failsWithAWord() public {
        respondent.set(32, true);
        _noneAnswers();
    }

    function test_three_wantsFiveWordsAndSuccess() public {
        uint256 ones = type(uint256).max / 255;
        respondent.set(160, false);
        (bool answered, uint256 a, uint256 b, uint256 c) = StaticRead.three(address(respondent), QUESTION, 0, 2);
        assertTrue(answered);
        assertEq(a, 3 * ones);
        assertEq(b, 4 * ones);
        assertEq(c, 5 * ones);
        respondent.set(159, false);
        (answered,,,) = StaticRead.three(address(respondent), QUESTION, 0, 2);
        assertFalse(answered);
        respondent.set(160, true);
        (answered,,,) = StaticRead.three(address(respondent), QUESTION, 0, 2);
        assertFalse(answered);
    }

    function _noneAnswers() private {
        bytes memory reason = abi.encodeWithSelector(StaticRead.NoAnswer.selector, respondent, QUESTION);
        vm.expectRevert(reason);
        this.ask();
        vm.expectRevert(reason);
        this.askAbout();
        vm.expectRevert(reason);
        this.askAboutTwo();
    }
}
