// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";

/// @title Reads the calls out of an execution, exactly as the executing account will
/// @dev Single executions are packed: target (20) | value (32) | calldata. Batches are an ABI-encoded array of
///      (target, value, calldata), and are accepted only as every encoder writes them: one call behind the other, without
///      gaps, overlaps or a rest. So no two readers can disagree about what is in them.
library Calls {
    using AbiReader for bytes;

    /// @notice Neither a plain single nor a plain batch execution. Try modes swallow failures and are refused.
    error ModeNotSupported(bytes32 mode);
    /// @notice A single execution holds at least a target and a value.
    error ExecutionTooShort(uint256 length);
    /// @notice More calls than one execution may hold.
    error TooManyCalls(uint256 calls, uint256 max);

    bytes32 internal constant SINGLE = bytes32(0);
    bytes32 internal constant BATCH = bytes32(uint256(1) << 248);
    uint256 internal constant MAX_CALLS = 16;

    /// @dev A batch begins with the place and the length of its array, then comes a table of places, from here on.
    uint256 private constant TABLE = 64;
    /// @dev Of a call in a batch: target, value, the place of its calldata, and how long that is.
    uint256 private constant CALL_HEAD = 128;

    /// @return count how many calls there are
    /// @return first where the first one is
    function open(bytes32 mode, bytes calldata execution) internal pure returns (uint256 count, uint256 first) {
        if (mode == SINGLE) {
            if (execution.length < 52) revert ExecutionTooShort(execution.length);
            count = 1;
        } else {
            if (mode != BATCH) revert ModeNotSupported(mode);
            if (execution.length < TABLE || execution.load(0) != 32) {
                revert AbiReader.DataMalformed(0, execution.length);
            }
            count = execution.load(32);
            if (count > MAX_CALLS) revert TooManyCalls(count, MAX_CALLS);
            unchecked {
                first = TABLE + 32 * count;
            }
        }
    }

    /// @dev `next` is where the following call is; behind the last one, the execution's end.
    /// @param index which call
    /// @param place where it is: what `open` returned, or `next` of the call before
    function read(bytes32 mode, bytes calldata execution, uint256 index, uint256 place)
        internal
        pure
        returns (address target, uint256 value, bytes calldata data, uint256 next)
    {
        unchecked {
            if (mode == SINGLE) {
                // `open` has seen that both are there.
                (target, value) = (address(uint160(execution.load(0) >> 96)), execution.load(20));
                data = execution.cut(52, execution.length - 52);
                next = execution.length;
            } else {
                uint256 length = execution.load(place + 96);
                next = place + CALL_HEAD + ((length + 31) & ~uint256(31));
                // Zero, as every encoder writes it: the table leads here, the calldata follows, no dirt, no absurd length.
                value = (execution.load(TABLE + 32 * index) ^ (place - TABLE)) | (execution.load(place + 64) ^ 96)
                    | execution.load(place) >> 160 | length >> 32;
                // `next` is the last of it: where that lies inside, so does all that was read.
                if (value != 0 || next > execution.length) revert AbiReader.DataMalformed(place, execution.length);
                (target, value) = (address(uint160(execution.load(place))), execution.load(place + 32));
                data = execution.cut(place + CALL_HEAD, length);
            }
        }
    }
}
