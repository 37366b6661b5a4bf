// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What kinds of action there are, and which may run in which phase
/// @dev Classes are bits, so that an execution's classes and a phase's permissions are one AND apart.
library ActionClass {
    /// @notice An action of this class may not run in this phase.
    error ClassNotAllowedInPhase(uint256 classes, uint256 phase);

    uint256 internal constant SWAP = 1 << 0;
    /// @dev A swap into the settlement asset.
    uint256 internal constant UNWIND = 1 << 1;
    uint256 internal constant ADD_LIQUIDITY = 1 << 2;
    uint256 internal constant DEPOSIT = 1 << 3;
    uint256 internal constant REMOVE_LIQUIDITY = 1 << 4;
    uint256 internal constant WITHDRAW = 1 << 5;
    uint256 internal constant PAYMENT = 1 << 6;
    uint256 internal constant SPAWN = 1 << 7;
    uint256 internal constant PUBLISH = 1 << 8;
    uint256 internal constant SALE = 1 << 9;
    /// @dev An approval that the same execution consumes; it goes along with the class that consumes it.
    uint256 internal constant APPROVE = 1 << 10;
    /// @dev Setting an approval to zero, which is always safe.
    uint256 internal constant DISAPPROVE = 1 << 11;

    uint256 internal constant ALL = (1 << 12) - 1;
    uint256 internal constant APPROVALS = APPROVE | DISAPPROVE;
    uint256 internal constant SWAPS = SWAP | UNWIND;
    /// @dev Closing a position to the owner's account.
    uint256 internal constant SETTLEMENT = REMOVE_LIQUIDITY | WITHDRAW | DISAPPROVE;

    uint256 private constant THRIVING = ALL;
    uint256 private constant STABLE = ALL & ~SPAWN;
    uint256 private constant CONSERVATION = SETTLEMENT | UNWIND | PAYMENT | PUBLISH | SALE | APPROVE;

    /// @notice The classes that may run in a phase. Approvals in the two lean phases serve an unwinding swap only: on
    ///         their own they would be left standing, which is refused elsewhere.
    function allowedIn(uint256 phase) internal pure returns (uint256) {
        if (phase == 0) return THRIVING;
        if (phase == 1) return STABLE;
        return phase < 4 ? CONSERVATION : SETTLEMENT;
    }

    function requireAllowedIn(uint256 classes, uint256 phase) internal pure {
        if (classes & ~allowedIn(phase) != 0) revert ClassNotAllowedInPhase(classes, phase);
    }
}
