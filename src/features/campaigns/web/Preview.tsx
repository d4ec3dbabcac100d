import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { Content } from '../content/rules.ts'
import type { CampaignPreview } from '../contract.ts'
import type { CampaignChannel, Variant } from '../rules.ts'
import { previewQuery } from './data.ts'
import { useRested } from './useRested.ts'

type Look = 'phone' | 'desktop' | 'dark' | 'text'
const looks: readonly { value: Look; label: string }[] = [
  { value: 'phone', label: 'Phone' },
  { value: 'desktop', label: 'Desktop' },
  { value: 'dark', label: 'Dark' },
  { value: 'text', label: 'Plain text' },
]

/** As wide as a mail program on a desk shows a mail. */
const deskWidth = 680

/** A mail as its reader sees it. It may not run anything, and its links open nothing here. */
const Frame = ({ html, look }: { html: string; look: Look }) => {
  const [height, setHeight] = useState(480)
  const room = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    if (room.current) watcher.observe(room.current)
    return () => watcher.disconnect()
  }, [])
  // a desk is wider than the room beside the fields: it is shown whole and smaller, never cut
  const isScaled = look === 'desktop' && width > 0 && width < deskWidth
  const scale = isScaled ? width / deskWidth : 1
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached without a mouse
    <section className={`cp-frame cp-frame--${look}`} tabIndex={0} aria-label="The e-mail as it is read">
      <div ref={room} className="cp-frame__room" style={{ height: height * scale }}>
        <iframe
          title="Preview of the e-mail"
          sandbox="allow-same-origin"
          // what it links to would open in its place; in a window of its own it may not
          srcDoc={html.replace('<head>', '<head><base target="_blank">')}
          style={isScaled ? { height, width: deskWidth, transform: `scale(${scale})` } : { height }}
          onLoad={(event) => {
            const page = event.currentTarget.contentDocument?.documentElement
            if (page) setHeight(Math.min(4000, page.scrollHeight + 4))
          }}
        />
      </div>
    </section>
  )
}

type Props = { channel: CampaignChannel; content: Content; language: 'en' | 'es'; variant: Variant }

/** How what is written comes out: on a phone, on a desk, in the dark and as plain text. */
export const Preview = ({ channel, content, language, variant }: Props) => {
  const [look, setLook] = useState<Look>('phone')
  const asked = useRested({ channel, content, language, variant }, 500)
  const found = useQuery({ ...previewQuery(asked), placeholderData: keepPreviousData })
  // what is typed right now may be refused: the field says why, and what it was before stays in view
  const last = useRef<CampaignPreview>(undefined)
  if (found.data) last.current = found.data
  const seen = found.data ?? last.current
  if (!seen)
    return found.isError ? (
      <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
    ) : (
      <Skeleton height={240} />
    )
  if (channel === 'sms')
    return (
      <div className="cp-preview">
        <p className="cp-bubble">{seen.text}</p>
        <p className="hint">
          Counts as {seen.segments} {seen.segments === 1 ? 'text segment' : 'text segments'} of your plan for each
          customer. The line of how to get no more is always there.
        </p>
      </div>
    )
  return (
    <div className="cp-preview">
      <FilterChips single label="Preview" chips={looks} values={[look]} onChange={([next]) => setLook(next ?? look)} />
      <p className="cp-subject">
        <span className="hint">Subject</span> <b>{seen.subject || 'No subject yet'}</b>
      </p>
      {look === 'text' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached without a mouse
        <section className="cp-plain" tabIndex={0} aria-label="The e-mail as plain text">
          {seen.text}
        </section>
      ) : (
        <Frame key={look} look={look} html={look === 'dark' ? seen.darkHtml : seen.html} />
      )}
    </div>
  )
}
