// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Delegation, IDelegationManager} from "../Framework.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Redeems a stored redemption once, when it is called
contract Nester {
    IDelegationManager private immutable manager;
    bytes private context;
    bytes32 private mode;
    bytes private execution;
    bool private swallow;
    bool private loaded;
    /// @notice Why the redemption was refused, if the refusal was caught.
    bytes public reason;

    constructor(IDelegationManager manager_) {
        manager = manager_;
    }

    function load(Delegation[] calldata chain, bytes32 mode_, bytes calldata execution_, bool swallow_) external {
        (context, mode, execution) = (abi.encode(chain), mode_, execution_);
        (swallow, loaded) = (swallow_, true);
    }

    function wake() external {
        if (!loaded) return;
        loaded = false;
        bytes[] memory contexts = new bytes[](1);
        bytes32[] memory modes = new bytes32[](1);
        bytes[] memory executions = new bytes[](1);
        (contexts[0], modes[0], executions[0]) = (context, mode, execution);
        if (!swallow) return manager.redeemDelegations(contexts, modes, executions);
        try manager.redeemDelegations(contexts, modes, executions) {}
        catch (bytes memory reason_) {
            reason = reason_;
        }
    }
}

/// @title A token of six decimals that calls a listener during a transfer, as ERC-777 tokens do
contract HookToken is ERC20 {
    Nester private listener;

    constructor() ERC20("Hook", "HOOK") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setListener(address listener_) external {
        listener = Nester(listener_);
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && address(listener) != address(0)) listener.wake();
    }
}

/// @title A token of six decimals that takes one percent of every transfer, from the receiver or on top from the sender
contract FeeToken is ERC20 {
    bool private immutable onTop;

    constructor(bool onTop_) ERC20("Fee", "FEE") {
        onTop = onTop_;
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (from == address(0) || to == address(0)) return super._update(from, to, amount);
        super._update(from, to, onTop ? amount : amount - amount / 100);
        super._update(from, address(0xfee), amount / 100);
    }
}
