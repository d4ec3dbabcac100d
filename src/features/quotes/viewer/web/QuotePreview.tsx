import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Banner } from '../../../../ui/Banner.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { PanelSkeleton } from '../../../../ui/Skeleton.tsx'
import { Tabs } from '../../../../ui/Tabs.tsx'
import { useNarrow } from '../../../../ui/useNarrow.ts'
import type { QuoteRecord } from '../../contract.ts'
import { quoteName } from '../../rules.ts'
import { type PreviewChoice, previewQuery } from '../../web/data.ts'
import './preview.css'

/** What is ticked on the page. */
const choiceOf = (form: HTMLFormElement): PreviewChoice => {
  const fields = [...new FormData(form).entries()].map(([name, value]) => [name, String(value)] as const)
  const of = (wanted: string) => fields.find(([name]) => name === wanted)?.[1]
  const packageId = of('package')
  return {
    ...(packageId === undefined ? {} : { package: packageId }),
    options: fields.flatMap(([name]) => (name.startsWith('option-') ? [name.slice(7)] : [])).join(','),
    prepay: of('prepay') === '1' ? '1' : '0',
  }
}

/** The parts that another package or option changes; the page's own script replaces the same ones. */
const parts = ['lines', 'sums', 'ways', 'sign-button']

/** The customer's own page in a frame that runs nothing: one can choose in it, and sign, answer or open nothing. */
const Page = ({ quote, isPhone }: { quote: QuoteRecord; isPhone: boolean }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [choice, setChoice] = useState<PreviewChoice | null>(null)
  const [first, setFirst] = useState<string | null>(null)
  const [height, setHeight] = useState(600)
  const found = useQuery(previewQuery(quote.id, quote.version, choice))
  const html = found.data?.html
  useEffect(() => {
    if (html && first === null) setFirst(html)
  }, [html, first])
  const fit = () => {
    const body = frame.current?.contentDocument?.body
    if (body) setHeight(Math.ceil(body.getBoundingClientRect().height) + 4)
  }
  useEffect(() => {
    const shown = frame.current?.contentDocument
    if (!html || !shown || html === first) return
    const next = new DOMParser().parseFromString(html, 'text/html')
    for (const id of parts) {
      const part = next.getElementById(id)
      if (part) shown.getElementById(id)?.replaceWith(part)
    }
  }, [html, first])
  const take = () => {
    const page = frame.current?.contentDocument
    if (!page) return
    // what its script would show and hide
    page.getElementById('pad')?.removeAttribute('hidden')
    page.getElementById('update')?.setAttribute('hidden', '')
    page.addEventListener('submit', (event) => event.preventDefault())
    page.addEventListener('click', (event) => {
      if ((event.target as Element | null)?.closest('a')) event.preventDefault()
    })
    page.addEventListener('toggle', fit, true)
    const form = page.getElementById('quote')
    form?.addEventListener('change', (event) => {
      const { name } = event.target as HTMLInputElement
      if (name === 'package' || name === 'prepay' || name.startsWith('option-'))
        setChoice(choiceOf(form as HTMLFormElement))
    })
    const watch = new ResizeObserver(fit)
    watch.observe(page.body)
  }
  if (found.isError && first === null)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (first === null) return <PanelSkeleton />
  return (
    <>
      {found.data?.problem ? (
        <Banner tone="warn" title="It cannot be sent like this yet">
          {found.data.problem}
        </Banner>
      ) : null}
      {found.isError ? (
        <Banner tone="error">What you ticked could not be added up. Tick it again; nothing was changed.</Banner>
      ) : null}
      <div className="qt-preview">
        <iframe
          ref={frame}
          className={isPhone ? 'is-phone' : ''}
          title={`${quoteName(quote.number)} as the customer sees it`}
          sandbox="allow-same-origin"
          srcDoc={first}
          style={{ height }}
          onLoad={take}
        />
      </div>
    </>
  )
}

/** A quote exactly as its customer gets it, before it is sent. Looking at it counts as nobody's look. */
export const QuotePreview = ({ quote, onClose }: { quote: QuoteRecord; onClose: () => void }) => {
  const isNarrow = useNarrow()
  const [width, setWidth] = useState('desk')
  return (
    <Dialog open onClose={onClose} title="As the customer sees it" size="l">
      <p className="hint">
        {quote.status === 'draft'
          ? 'The page behind the link, if you sent it now. Try the packages and options: nothing can be signed or answered here, and nobody is told.'
          : 'The page behind the link as it stands now. Nothing can be signed or answered here, and it does not count as opened.'}
      </p>
      {isNarrow ? null : (
        <Tabs
          label="Width of the page"
          tabs={[
            { value: 'desk', label: 'On a computer' },
            { value: 'phone', label: 'On a phone' },
          ]}
          value={width}
          onChange={setWidth}
        />
      )}
      <Page quote={quote} isPhone={!isNarrow && width === 'phone'} />
    </Dialog>
  )
}
