// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Asks another contract a question
/// @dev Nothing is decoded that nobody needs: an execution asks a dozen times. Whoever reverts, is not there, or says less
///      than was asked for has not answered, and is named.
library Ask {
    /// @notice The contract did not answer.
    error NoAnswer(address who, bytes4 question);

    function word(address who, bytes4 question) internal view returns (uint256 answer) {
        bool answered;
        assembly ("memory-safe") {
            mstore(0x00, question)
            answered := and(gt(returndatasize(), 31), staticcall(gas(), who, 0x00, 4, 0x00, 32))
            answer := mload(0x00)
        }
        if (!answered) revert NoAnswer(who, question);
    }

    function word(address who, bytes4 question, uint256 subject) internal view returns (uint256 answer) {
        bool answered;
        assembly ("memory-safe") {
            mstore(0x00, question)
            mstore(0x04, subject)
            answered := and(gt(returndatasize(), 31), staticcall(gas(), who, 0x00, 36, 0x00, 32))
            answer := mload(0x00)
        }
        if (!answered) revert NoAnswer(who, question);
    }

    function word(address who, bytes4 question, address subject, address other) internal view returns (uint256) {
        // As numbers they have no dirt above them, whatever compiles this.
        return _word(who, question, uint160(subject), uint160(other));
    }

    function _word(address who, bytes4 question, uint256 subject, uint256 other) private view returns (uint256 answer) {
        bool answered;
        assembly ("memory-safe") {
            // Too long for the scratch space: behind what is allocated, and free again at once.
            let input := mload(0x40)
            mstore(input, question)
            mstore(add(input, 4), subject)
            mstore(add(input, 36), other)
            answered := and(gt(returndatasize(), 31), staticcall(gas(), who, input, 68, 0x00, 32))
            answer := mload(0x00)
        }
        if (!answered) revert NoAnswer(who, question);
    }

    function addressOf(address who, bytes4 question) internal view returns (address) {
        return address(uint160(word(who, question)));
    }

    /// @notice Three words in a row, out of an answer of at least five.
    /// @param subject the argument; not looked at by a function that takes none
    /// @param from which of the answer's words is the first of the three; at most two
    function three(address who, bytes4 question, uint256 subject, uint256 from)
        internal
        view
        returns (bool answered, uint256 a, uint256 b, uint256 c)
    {
        assembly ("memory-safe") {
            let words := mload(0x40)
            mstore(words, question)
            mstore(add(words, 4), subject)
            answered := and(gt(returndatasize(), 159), staticcall(gas(), who, words, 36, words, 160))
            words := add(words, shl(5, from))
            a := mload(words)
            b := mload(add(words, 32))
            c := mload(add(words, 64))
        }
    }
}
