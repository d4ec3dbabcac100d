import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { newId } from '../../src/platform/ids.ts'
import { nameOf, renewed, type Script } from './script.ts'

// What the machine can do: node:http and pg, the same statements prepared by name, the same answer as JSON, and nothing else.

const [url = '', scriptFile = ''] = process.argv.slice(2)
const scripts = JSON.parse(readFileSync(scriptFile, 'utf8')) as Script[]
const byPath = new Map(scripts.map((script) => [`${script.method} ${script.path}`, script]))
const pool = new pg.Pool({
  connectionString: url,
  max: 12,
  options:
    '-c role=swath_app -c TimeZone=UTC -c statement_timeout=10s -c lock_timeout=3s -c plan_cache_mode=force_custom_plan',
})

const answer = async ({ steps, fresh, answer: said }: Script): Promise<string> => {
  const ids = new Map(fresh.map((id) => [id, newId()]))
  const client = await pool.connect()
  try {
    for (const { text, values } of steps)
      await (values.length === 0
        ? client.query(text)
        : client.query({ name: nameOf(text), text, values: renewed(values, ids) }))
    return JSON.stringify(said)
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString()
  })
  request.on('end', () => {
    if (body) JSON.parse(body)
    const script = byPath.get(`${request.method} ${request.url}`)
    if (!script) return void response.writeHead(404).end()
    answer(script).then(
      (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port, headers: {} }))
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit(0))
