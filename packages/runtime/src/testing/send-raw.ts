import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Sends raw bytes to a port of this machine and returns the answer, once the server has closed the connection. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket: Socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  let answer = "";
  socket.on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return answer;
}
