import { unzipSync } from 'fflate'
import { expect } from 'vitest'
import { exportsApi } from '../features/exports/contract.ts'
import { type Api, runTasks, testServer } from './api.ts'

/** What an archive holds, by path. */
export const fetchArchive = async (path: string): Promise<Map<string, string>> => {
  const answer = await (await testServer()).inject({ url: path })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
  return new Map(
    Object.entries(unzipSync(new Uint8Array(answer.rawPayload))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString(),
    ]),
  )
}

/** Makes an export of everything and fetches it. */
export const exported = async (api: Api, withFiles = true): Promise<Map<string, string>> => {
  await api.ok(exportsApi.start, { body: { withFiles } })
  await runTasks()
  const [record] = (await api.ok(exportsApi.list, {})).items
  expect(record).toMatchObject({ status: 'done', missingFiles: 0, stepsDone: record?.stepsTotal })
  return fetchArchive(record?.archives[0]?.path ?? '')
}
