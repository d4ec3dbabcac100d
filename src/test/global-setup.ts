import type { TestProject } from 'vitest/node'
import { startTestServer, type TestServer } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer
  }
}

type Shared = { users: number; server: ReturnType<typeof startTestServer> }
const place = globalThis as { swathTestServer?: Shared | undefined }

/** One server for all projects of the run. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  place.swathTestServer ??= { users: 0, server: startTestServer({ small: true }) }
  const shared = place.swathTestServer
  shared.users += 1
  const { stop: _stop, ...server } = await shared.server
  project.provide('testServer', server)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    place.swathTestServer = undefined
    await (await shared.server).stop()
  }
}
