// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IIdentityRegistry} from "../interfaces/IIdentityRegistry.sol";

/// @title Keeps identity tokens, and lets them go slowly
/// @notice A token leaves here only after a delay that everybody can watch, even to its own depositor. Whoever steals the
///         depositor's key has to announce the theft, wait, and hope that neither the depositor nor the guardian looks.
/// @dev The guardian is a second key that the depositor names when depositing. It can cancel and nothing else: it never gets
///      the token, but a hostile one can keep it here for ever, so it should be a key of one's own. It cannot be changed in
///      place, or a thief would change it first: withdraw, which it may cancel, and deposit anew. Where the depositor's key is
///      stolen for good, thief and guardian hold each other up: the token stays, which is the point.
///
///      Deposit with `registry.safeTransferFrom(owner, guardian, agentId, data)`, `data` empty or the guardian's address
///      ABI-encoded. A plain `transferFrom` gives the token away: nobody is told whose it was. While it is here the registry
///      sees this contract as the agent's owner (and cleared its agent wallet): the depositor keeps the registration through
///      the functions at the end, and a wallet's consent names this contract as the owner.
contract IdentityGuardian is IERC721Receiver {
    struct Deposit {
        address owner;
        /// @dev When the pending transfer may be executed; zero: none is pending.
        uint64 readyAt;
        address to;
        address guardian;
    }

    /// @notice A token came under protection.
    event Deposited(uint256 indexed agentId, address indexed owner, address indexed guardian);
    /// @notice The timer runs: whoever watches can still cancel until `readyAt`, and after it until it is executed.
    event TransferAnnounced(uint256 indexed agentId, address indexed owner, address indexed to, uint256 readyAt);
    event TransferCancelled(uint256 indexed agentId, address indexed by, address indexed to);
    event TransferExecuted(uint256 indexed agentId, address indexed owner, address indexed to);

    /// @notice Without a delay there is no protection.
    error DelayIsZero();
    /// @notice Only tokens of the one registry are kept here.
    error NotTheRegistry(address caller);
    /// @notice Only the owner deposits: an operator would pick the guardian.
    error DepositNotByOwner(address operator, address owner);
    /// @notice The data of a deposit is empty or one ABI-encoded address.
    error BadDepositData(uint256 length);
    /// @notice The caller did not deposit this token (or nobody did).
    error NotDepositor(uint256 agentId, address caller);
    /// @notice The caller is neither the depositor nor the guardian.
    error NotDepositorOrGuardian(uint256 agentId, address caller);
    /// @notice Nobody could ever get the token out of there again.
    error BadRecipient(address to);
    /// @notice One at a time: cancel it first, so that a watcher sees every change of mind.
    error TransferPending(uint256 agentId, address to, uint256 readyAt);
    /// @notice Nothing to cancel or to execute.
    error NoTransferPending(uint256 agentId);
    /// @notice Too early.
    error DelayNotOver(uint256 agentId, uint256 readyAt, uint256 timestamp);

    IIdentityRegistry public immutable registry;
    /// @notice Seconds between announcing a transfer and executing it.
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

    /// @notice Whose token this is, who may cancel for them, and what is pending. All zero: not here.
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

    /// @notice Announces that the token will go to `to`; to oneself is a withdrawal and takes as long.
    function transferWithDelay(uint256 agentId, address to) external onlyDepositor(agentId) {
        Deposit storage deposit = _deposits[agentId];
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        if (deposit.readyAt != 0) revert TransferPending(agentId, deposit.to, deposit.readyAt);
        deposit.to = to;
        deposit.readyAt = uint64(block.timestamp + delay);
        emit TransferAnnounced(agentId, msg.sender, to, deposit.readyAt);
    }

    /// @notice Calls a pending transfer off. By the depositor or the guardian.
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

    /// @notice Carries a transfer out once its delay is over. Anyone may: it goes where it was announced to go.
    function execute(uint256 agentId) external {
        Deposit memory deposit = _deposits[agentId];
        if (deposit.readyAt == 0) revert NoTransferPending(agentId);
        if (block.timestamp < deposit.readyAt) revert DelayNotOver(agentId, deposit.readyAt, block.timestamp);
        // Before the token moves: its receiver may deposit it again at once, and that record must stay.
        delete _deposits[agentId];
        emit TransferExecuted(agentId, deposit.owner, deposit.to);
        registry.safeTransferFrom(address(this), deposit.to, agentId);
    }

    // ---- the registration, kept by the depositor while the token is here. None of these moves the token.

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
