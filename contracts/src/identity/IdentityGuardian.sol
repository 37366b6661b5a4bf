// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IIdentityRegistry} from "../interfaces/IIdentityRegistry.sol";

/// @title Holds identity tokens, and releases them only after a delay
/// @notice A token leaves only after a public delay, even to its own depositor. A thief of the depositor's key must
///         announce the theft and wait, and the depositor or the guardian can cancel it.
/// @dev The guardian is a second key that the depositor names at deposit. It can only cancel: it never gets the token,
///      but a hostile guardian can keep it here permanently, so it should be another key of the same person. It cannot
///      be changed in place, or a thief would change it first: withdraw, which it may cancel, and deposit again. If the
///      depositor's key is stolen, thief and guardian block each other and the token stays, which is the purpose.
///
///      Deposit with `registry.safeTransferFrom(owner, guardian, agentId, data)`, with `data` empty or the guardian's
///      address ABI-encoded. A plain `transferFrom` loses the token: the contract does not learn its owner. While it is
///      here, the registry sees this contract as the agent's owner (and has cleared its agent wallet): the depositor
///      manages the registration through the functions at the end, and a wallet's consent names this contract as the
///      owner.
contract IdentityGuardian is IERC721Receiver {
    struct Deposit {
        address owner;
        /// @dev The time from which the pending transfer may be executed; zero if none is pending.
        uint64 readyAt;
        address to;
        address guardian;
    }

    /// @notice A token was deposited.
    event Deposited(uint256 indexed agentId, address indexed owner, address indexed guardian);
    /// @notice A transfer was announced. It can be cancelled until it is executed, which is possible from `readyAt`.
    event TransferAnnounced(uint256 indexed agentId, address indexed owner, address indexed to, uint256 readyAt);
    event TransferCancelled(uint256 indexed agentId, address indexed by, address indexed to);
    event TransferExecuted(uint256 indexed agentId, address indexed owner, address indexed to);

    /// @notice Thrown when the delay is zero: it would protect nothing.
    error DelayIsZero();
    /// @notice Thrown when a token of a contract other than the registry is sent here.
    error NotTheRegistry(address caller);
    /// @notice Thrown when an operator deposits instead of the owner: the operator would choose the guardian.
    error DepositNotByOwner(address operator, address owner);
    /// @notice Thrown when the data of a deposit is neither empty nor one ABI-encoded address.
    error BadDepositData(uint256 length);
    /// @notice Thrown when the caller did not deposit this token.
    error NotDepositor(uint256 agentId, address caller);
    /// @notice Thrown when the caller is neither the depositor nor the guardian.
    error NotDepositorOrGuardian(uint256 agentId, address caller);
    /// @notice Thrown when the recipient could never transfer the token again.
    error BadRecipient(address to);
    /// @notice Thrown when another transfer of this token is announced. It must be cancelled first, so that a watcher
    ///         sees every change.
    error TransferPending(uint256 agentId, address to, uint256 readyAt);
    /// @notice Thrown when there is no transfer to cancel or to execute.
    error NoTransferPending(uint256 agentId);
    /// @notice Thrown when a transfer is executed before its delay is over.
    error DelayNotOver(uint256 agentId, uint256 readyAt, uint256 timestamp);

    IIdentityRegistry public immutable registry;
    /// @notice Seconds between the announcement of a transfer and its execution.
    uint32 public immutable delay;

    mapping(uint256 agentId => Deposit) private _deposits;

    constructor(IIdentityRegistry registry_, uint32 delay_) {
        if (delay_ == 0) revert DelayIsZero();
        (registry, delay) = (registry_, delay_);
    }

    modifier onlyDepositor(uint256 agentId) {
        if (msg.sender != _deposits[agentId].owner) revert NotDepositor(agentId, msg.sender);
        _;
    }

    /// @notice The depositor, the guardian and the pending transfer of a token. All zero if the token is not here.
    function depositOf(uint256 agentId) external view returns (Deposit memory) {
        return _deposits[agentId];
    }

    /// @inheritdoc IERC721Receiver
    function onERC721Received(address operator, address from, uint256 agentId, bytes calldata data)
        external
        returns (bytes4)
    {
        if (msg.sender != address(registry)) revert NotTheRegistry(msg.sender);
        if (operator != from) revert DepositNotByOwner(operator, from);
        if (data.length != 0 && data.length != 32) revert BadDepositData(data.length);
        address guardian = data.length == 0 ? address(0) : abi.decode(data, (address));
        _deposits[agentId] = Deposit({owner: from, readyAt: 0, to: address(0), guardian: guardian});
        emit Deposited(agentId, from, guardian);
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @notice Announces that the token will go to `to`. A transfer to oneself is a withdrawal and takes as long.
    function transferWithDelay(uint256 agentId, address to) external onlyDepositor(agentId) {
        Deposit storage deposit = _deposits[agentId];
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        if (deposit.readyAt != 0) revert TransferPending(agentId, deposit.to, deposit.readyAt);
        deposit.to = to;
        deposit.readyAt = uint64(block.timestamp + delay);
        emit TransferAnnounced(agentId, msg.sender, to, deposit.readyAt);
    }

    /// @notice Cancels a pending transfer. Callable by the depositor or the guardian.
    function cancel(uint256 agentId) external {
        Deposit storage deposit = _deposits[agentId];
        if (msg.sender != deposit.owner && msg.sender != deposit.guardian) {
            revert NotDepositorOrGuardian(agentId, msg.sender);
        }
        if (deposit.readyAt == 0) revert NoTransferPending(agentId);
        emit TransferCancelled(agentId, msg.sender, deposit.to);
        deposit.to = address(0);
        deposit.readyAt = 0;
    }

    /// @notice Executes a transfer after its delay. Anyone may call it: the recipient was announced.
    function execute(uint256 agentId) external {
        Deposit memory deposit = _deposits[agentId];
        if (deposit.readyAt == 0) revert NoTransferPending(agentId);
        if (block.timestamp < deposit.readyAt) revert DelayNotOver(agentId, deposit.readyAt, block.timestamp);
        // Delete the record before the token moves: the receiver may deposit it again at once, and that record must
        // stay.
        delete _deposits[agentId];
        emit TransferExecuted(agentId, deposit.owner, deposit.to);
        registry.safeTransferFrom(address(this), deposit.to, agentId);
    }

    // ---- the registration, managed by the depositor while the token is here. None of these functions moves the token.

    function setAgentURI(uint256 agentId, string calldata newURI) external onlyDepositor(agentId) {
        registry.setAgentURI(agentId, newURI);
    }

    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue)
        external
        onlyDepositor(agentId)
    {
        registry.setMetadata(agentId, metadataKey, metadataValue);
    }

    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature)
        external
        onlyDepositor(agentId)
    {
        registry.setAgentWallet(agentId, newWallet, deadline, signature);
    }

    function unsetAgentWallet(uint256 agentId) external onlyDepositor(agentId) {
        registry.unsetAgentWallet(agentId);
    }
}
