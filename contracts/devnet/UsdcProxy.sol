// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";

/// @title The contract at USDC's address: a proxy, as on every real chain
contract UsdcProxy is ERC1967Proxy {
    constructor(address implementation) ERC1967Proxy(implementation, "") {}

    /// @dev The implementation keeps its set-up in code, not in storage, so there is nothing to initialise.
    function _unsafeAllowUninitialized() internal pure override returns (bool) {
        return true;
    }
}
