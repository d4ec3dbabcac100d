import { useState } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { IconCopy, IconRefresh } from '../ui/icons.ts'
import { ScreenLoadError } from './loading.ts'
import { Notice } from './Notice.tsx'
import { noticeTexts } from './noticeTexts.ts'

const reload = () => window.location.reload()

/** What support needs to find the fault: what, where and when. The stack stays in the browser's console. */
const detailsOf = (error: unknown): string => {
  const what = isRouteErrorResponse(error)
    ? `${error.status} ${error.statusText}`
    : error instanceof Error
      ? `${error.name}: ${error.message}`
      : String(error)
  return [
    what,
    `at ${window.location.pathname}${window.location.search}`,
    new Date().toISOString(),
    navigator.userAgent,
  ].join('\n')
}

const Copy = ({ error, t }: { error: unknown; t: ReturnType<typeof noticeTexts> }) => {
  const [done, setDone] = useState(false)
  const copy = () => navigator.clipboard.writeText(detailsOf(error)).then(() => setDone(true))
  return (
    <Button icon={<IconCopy />} onClick={() => void copy()}>
      {done ? t.copied : t.copy}
    </Button>
  )
}

/** The default error view: same title as the router's own, without its stack. */
export const RouteError = ({ build }: { build: 'admin' | 'crew' }) => {
  const t = noticeTexts(build)
  const error = useRouteError()
  if (error instanceof ScreenLoadError)
    return (
      <Notice
        title={t.newVersion}
        action={
          <Button kind="primary" icon={<IconRefresh />} onClick={reload}>
            {t.reload}
          </Button>
        }
      >
        {t.newVersionMore}
      </Notice>
    )
  return (
    <Notice
      title={t.broken}
      action={
        <>
          <Button kind="primary" icon={<IconRefresh />} onClick={reload}>
            {t.reload}
          </Button>
          <Copy error={error} t={t} />
        </>
      }
    >
      {t.brokenMore}
    </Notice>
  )
}
