// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

using Plans for Plan global;

/// @title What an execution will do, as far as its calldata shows
/// @dev A pointer to memory, read and written by `Plans`. A struct would allocate, clear and check each of its lists
///      separately, which costs a swap a thousand gas.
type Plan is uint256;

/// @dev | word   | holds                                                                                        |
///      | ------ | -------------------------------------------------------------------------------------------- |
///      | 0      | the account that executes, and that all value must come back to                              |
///      | 1      | the place of the asset that unwinding goes into                                              |
///      | 2, 3   | contracts of ours that no session may call, whatever was signed: the vitals, the policy cage |
///      | 4      | who is owed a royalty; zero for none                                                         |
///      | 5      | classes, bits of `ActionClass`                                                               |
///      | 6      | methods, bits of `Methods`                                                                   |
///      | 7      | bit 8 × from + to for every ordered pair of assets that is swapped                           |
///      | 8      | the pool that liquidity goes into; zero for none                                             |
///      | 9      | how many approvals must be gone in the end                                                   |
///      | 10     | the execution's hash, where a contract redeems; zero for a key that sent the transaction     |
///      | 11     | the vault that is left; zero for none                                                        |
///      | 12     | who may draw gas: the redeemer, where the owner signed a cap; zero for none                  |
///      | 13–20  | per asset: what leaves by calldata (127), and bit 127 where a swap brings it                 |
///      | 21–28  | approvals: spender, asset << 160, and 1 << 168 for one inside Permit2                        |
///      | 29–36  | per asset: what of it goes to the author; only where there is one                            |
library Plans {
    /// @notice Thrown when an execution has more approvals than can be recorded.
    error TooManyApprovals(uint256 max);
    /// @notice Thrown when an amount, or the sum of an asset's amounts, exceeds 2^127 - 1.
    error AmountNotSupported(uint256 amount);
    /// @notice Thrown when an execution withdraws from a second vault: its proceeds would hide the loss of the first.
    error MoreThanOneVault(address vault);

    uint256 private constant OUT = 13;
    uint256 private constant APPROVAL = 21;
    uint256 private constant ROYALTY = 29;
    uint256 private constant END = 37;
    uint256 private constant MAX_APPROVALS = 8;
    /// @dev The bit above an amount: a swap of this execution brings in this asset.
    uint256 internal constant OUTPUT = 1 << 127;
    uint256 internal constant MAX_AMOUNT = OUTPUT - 1;

    function create() internal pure returns (Plan) {
        return _create(ROYALTY);
    }

    /// @notice A plan that records what goes to an author, who is not zero.
    function createFor(address author) internal pure returns (Plan p) {
        p = _create(END);
        _set(p, 4, uint160(author));
    }

    function _create(uint256 words) private pure returns (Plan p) {
        assembly ("memory-safe") {
            // Allocates at the free memory pointer and moves it: the old pointer is read first.
            p := mload(0x40)
            mstore(0x40, add(p, shl(5, words)))
            // Calldata past its end is zero.
            calldatacopy(p, calldatasize(), shl(5, words))
        }
    }

    function setAccount(Plan p, address value) internal pure {
        _set(p, 0, uint160(value));
    }

    function account(Plan p) internal pure returns (address) {
        return address(uint160(_get(p, 0)));
    }

    function setSettlement(Plan p, uint256 asset) internal pure {
        _set(p, 1, asset);
    }

    function settlement(Plan p) internal pure returns (uint256) {
        return _get(p, 1);
    }

    function forbid(Plan p, address vitals, address policyCage) internal pure {
        _set(p, 2, uint160(vitals));
        _set(p, 3, uint160(policyCage));
    }

    function forbidden(Plan p) internal pure returns (uint256 vitals, uint256 policyCage) {
        return (_get(p, 2), _get(p, 3));
    }

    function addClass(Plan p, uint256 class) internal pure {
        _set(p, 5, _get(p, 5) | class);
    }

    function classes(Plan p) internal pure returns (uint256) {
        return _get(p, 5);
    }

    function addMethod(Plan p, uint256 method) internal pure {
        _set(p, 6, _get(p, 6) | method);
    }

    function methods(Plan p) internal pure returns (uint256) {
        return _get(p, 6);
    }

    function addPair(Plan p, uint256 from, uint256 to) internal pure {
        unchecked {
            _set(p, 7, _get(p, 7) | 1 << (8 * from + to));
        }
    }

    function pairs(Plan p) internal pure returns (uint256) {
        return _get(p, 7);
    }

    function setPool(Plan p, address value) internal pure {
        _set(p, 8, uint160(value));
    }

    function setExecution(Plan p, bytes32 hash) internal pure {
        _set(p, 10, uint256(hash));
    }

    function execution(Plan p) internal pure returns (bytes32) {
        return bytes32(_get(p, 10));
    }

    function pool(Plan p) internal pure returns (address) {
        return address(uint160(_get(p, 8)));
    }

    function setVault(Plan p, address value) internal pure {
        uint256 before = _get(p, 11);
        if (before != 0 && before != uint160(value)) revert MoreThanOneVault(value);
        _set(p, 11, uint160(value));
    }

    function vault(Plan p) internal pure returns (address) {
        return address(uint160(_get(p, 11)));
    }

    function setGasRecipient(Plan p, address value) internal pure {
        _set(p, 12, uint160(value));
    }

    function gasRecipient(Plan p) internal pure returns (address) {
        return address(uint160(_get(p, 12)));
    }

    // Lists. An asset's index is below 8: mandates have no more.

    /// @notice Books an amount that leaves by calldata.
    function leaves(Plan p, uint256 asset, uint256 amount) internal pure {
        unchecked {
            uint256 word = _get(p, OUT + asset);
            // Two amounts below 2^127: the sum cannot wrap, and a sum that passes does not reach the bit above.
            if (amount > MAX_AMOUNT || (word & MAX_AMOUNT) + amount > MAX_AMOUNT) revert AmountNotSupported(amount);
            _set(p, OUT + asset, word + amount);
        }
    }

    /// @notice The amount that leaves by calldata.
    function out(Plan p, uint256 asset) internal pure returns (uint256) {
        return outWord(p, asset) & MAX_AMOUNT;
    }

    /// @notice The amount that leaves by calldata, with `OUTPUT` set if a swap brings in this asset.
    function outWord(Plan p, uint256 asset) internal pure returns (uint256) {
        unchecked {
            return _get(p, OUT + asset);
        }
    }

    /// @notice Records that a swap brings in this asset.
    function brings(Plan p, uint256 asset) internal pure {
        unchecked {
            _set(p, OUT + asset, _get(p, OUT + asset) | OUTPUT);
        }
    }

    /// @notice Books a payment, and its royalty part if it goes to the author.
    function pays(Plan p, uint256 asset, address payee, uint256 amount) internal pure {
        leaves(p, asset, amount);
        uint256 author = _get(p, 4);
        unchecked {
            if (author != 0 && author == uint160(payee)) _set(p, ROYALTY + asset, royalty(p, asset) + amount);
        }
    }

    function royalty(Plan p, uint256 asset) internal pure returns (uint256) {
        unchecked {
            return _get(p, ROYALTY + asset);
        }
    }

    function mustBeGone(Plan p, uint256 approval_) internal pure {
        unchecked {
            uint256 count = approvals(p);
            if (count == MAX_APPROVALS) revert TooManyApprovals(MAX_APPROVALS);
            _set(p, APPROVAL + count, approval_);
            _set(p, 9, count + 1);
        }
    }

    function approvals(Plan p) internal pure returns (uint256) {
        return _get(p, 9);
    }

    function approval(Plan p, uint256 index) internal pure returns (uint256) {
        unchecked {
            return _get(p, APPROVAL + index);
        }
    }

    function _get(Plan p, uint256 index) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            // Inside the plan: every index is in the table above.
            value := mload(add(p, shl(5, index)))
        }
    }

    function _set(Plan p, uint256 index, uint256 value) private pure {
        assembly ("memory-safe") {
            // Inside the plan: every index is in the table above.
            mstore(add(p, shl(5, index)), value)
        }
    }
}
