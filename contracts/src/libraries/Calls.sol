// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";

/// @title Reads the calls out of an execution, exactly as the executing account will
/// @dev Single executions are packed: target (20) | value (32) | calldata. Batches are an ABI-encoded array of
///      (target, value, calldata).
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

    /// @return count how many calls there are
    /// @return table where the batch's table of offsets begins; unused for a single execution
    function open(bytes32 mode, bytes calldata execution) internal pure returns (uint256 count, uint256 table) {
        if (mode == SINGLE) {
            if (execution.length < 52) revert ExecutionTooShort(execution.length);
            return (1, 0);
        }
        if (mode != BATCH) revert ModeNotSupported(mode);
        uint256 array = execution.follow(0, 0);
        count = execution.word(array);
        if (count > MAX_CALLS) revert TooManyCalls(count, MAX_CALLS);
        unchecked {
            // `array` lies inside the execution.
            table = array + 32;
        }
    }

    /// @param table what `open` returned
    function read(bytes32 mode, bytes calldata execution, uint256 table, uint256 index)
        internal
        pure
        returns (address target, uint256 value, bytes calldata data)
    {
        if (mode == SINGLE) {
            return (address(bytes20(execution[:20])), uint256(bytes32(execution[20:52])), execution[52:]);
        }
        unchecked {
            // `table` and `call` lie inside the execution, and `index` is below MAX_CALLS.
            uint256 call = execution.follow(table, table + 32 * index);
            return (execution.addressAt(call), execution.word(call + 32), execution.bytesAt(call, call + 64));
        }
    }
}
