// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";

/// @title Reads the calls of an execution, exactly as the executing account does
/// @dev Single executions are packed: target (20), value (32), calldata. Batches are an ABI-encoded array of (target,
///      value, calldata), and are accepted only in the canonical encoding: one call after the other, without gaps,
///      overlaps or trailing bytes. So two readers can never disagree on the calls.
library Calls {
    using AbiReader for bytes;

    /// @notice Thrown when the mode is neither a plain single nor a plain batch execution. Try modes hide failures.
    error ModeNotSupported(bytes32 mode);
    /// @notice Thrown when a single execution is shorter than a target and a value.
    error ExecutionTooShort(uint256 length);
    /// @notice Thrown when a batch has more calls than one execution may.
    error TooManyCalls(uint256 calls, uint256 max);

    bytes32 internal constant SINGLE = bytes32(0);
    bytes32 internal constant BATCH = bytes32(uint256(1) << 248);
    uint256 internal constant MAX_CALLS = 16;

    /// @dev A batch starts with the offset and the length of its array, followed by a table of offsets from here.
    uint256 private constant TABLE = 64;
    /// @dev A call in a batch: target, value, offset of the calldata, length of the calldata.
    uint256 private constant CALL_HEAD = 128;

    /// @return count the number of calls
    /// @return first the position of the first call
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

    /// @dev `next` is the position of the following call; after the last call, the end of the execution.
    /// @param index the index of the call
    /// @param place its position: what `open` returned, or `next` of the previous call
    function read(bytes32 mode, bytes calldata execution, uint256 index, uint256 place)
        internal
        pure
        returns (address target, uint256 value, bytes calldata data, uint256 next)
    {
        unchecked {
            if (mode == SINGLE) {
                // `open` has checked that both are present.
                (target, value) = (address(uint160(execution.load(0) >> 96)), execution.load(20));
                data = execution.cut(52, execution.length - 52);
                next = execution.length;
            } else {
                uint256 length = execution.load(place + 96);
                next = place + CALL_HEAD + ((length + 31) & ~uint256(31));
                // `next` is the end of what was read: if it lies inside, all of it does.
                if (_flaws(execution, index, place, length) != 0 || next > execution.length) {
                    revert AbiReader.DataMalformed(place, execution.length);
                }
                (target, value) = (address(uint160(execution.load(place))), execution.load(place + 32));
                data = execution.cut(place + CALL_HEAD, length);
            }
        }
    }

    /// @dev Zero if a call is canonically encoded: the table points to it, its calldata follows directly, the bytes
    ///      above its target are zero, and its length is below 2^32. In one number: a branch for each would cost more.
    function _flaws(bytes calldata execution, uint256 index, uint256 place, uint256 length)
        private
        pure
        returns (uint256)
    {
        unchecked {
            return (execution.load(TABLE + 32 * index) ^ (place - TABLE)) | (execution.load(place + 64) ^ 96)
                | execution.load(place) >> 160 | length >> 32;
        }
    }
}
