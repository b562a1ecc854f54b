/** The connection to the session of this page, in `castellan-board`. The static page has `wasm/socket.js` in the place of this. */
/** @import { Event as ServerEvent } from "../messages.js" */

/**
 * Connects. `closed` is called with the reason when there is no connection, or no more.
 * @param {(message: ServerEvent) => void} receive
 * @param {(reason: string) => void} closed
 * @returns {(message: string) => boolean} sends a request; false if that is not possible
 */
export function connect(receive, closed) {
  const token = encodeURIComponent(new URLSearchParams(location.search).get("token") || "");
  const socket = new WebSocket(`ws://${location.host}/socket?token=${token}`);
  socket.onmessage = (message) => receive(JSON.parse(message.data));
  socket.onclose = (event) => {
    const reason = event.reason ? ` (${event.reason})` : "";
    closed(`No connection to castellan-board${reason}. Start it again to continue; nothing is lost.`);
  };
  return (message) => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(message);
    return true;
  };
}
