import { buildWeb } from '../scripts/build-web.ts'

/** The web is built once for all files, when its sources say something new. */
export const setup = async (): Promise<void> => {
  await buildWeb({ ifStale: true })
}
