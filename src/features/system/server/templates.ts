import { escapeHtml } from '../../../shared/html.ts'

type Operation = { operationId?: string; summary?: string; tags?: string[]; security?: unknown[] }

/** The OpenAPI document as one plain page: no script, nothing from elsewhere. */
export const docsPage = (document: { paths?: Record<string, Record<string, Operation>> }): string => {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = Map.groupBy(rows, (row) => row.operation.tags?.[0] ?? 'other')
  const sections = [...groups].map(
    ([tag, list]) =>
      `<h2>${escapeHtml(tag)}</h2><table><thead><tr><th>Call</th><th>Path</th><th>What it does</th><th>Sign-in</th></tr></thead><tbody>${list
        .map(
          (row) =>
            `<tr><td><b>${row.method.toUpperCase()}</b></td><td><code>${escapeHtml(row.path)}</code></td><td>${escapeHtml(row.operation.summary ?? row.operation.operationId ?? '')}</td><td>${row.operation.security ? 'yes' : 'no'}</td></tr>`,
        )
        .join('')}</tbody></table>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Swath API</title><style>body{font:15px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#16211a;background:#faf8f3}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #e2ddd0}code{font-size:.9em}</style><h1>Swath API</h1><p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>. Errors are <code>{ code, message, errors?, requestId }</code>.</p>${sections.join('')}</html>`
}
