import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '../../../shared/client.ts'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { keepDraftsOf, keptWork, useKeptWork } from '../../../ui/drafts.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconCheck, IconEye, IconSend, IconTrash } from '../../../ui/icons.ts'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useToday, useUser } from '../../accounts/web/session.ts'
import { businessQuery } from '../../invoices/web/data.ts'
import { programsQuery } from '../../jobs/programs/web/data.ts'
import type { ServiceRecord } from '../../services/contract.ts'
import { type QuoteRecord, quotesApi } from '../contract.ts'
import { DayPart } from '../days/web/DayPart.tsx'
import { most, type QuoteLine, type QuoteTaxes, quoteName } from '../rules.ts'
import { KeepTemplate } from '../templates/web/KeepTemplate.tsx'
import { AreasPart } from './builder/AreasPart.tsx'
import { type Draft, draftOf, isSame, lineFor, measuredLines, programLines, seasonDays } from './builder/edit.ts'
import { LineRow } from './builder/LineRow.tsx'
import { PackagesPart } from './builder/PackagesPart.tsx'
import { SharePart } from './builder/SharePart.tsx'
import { SidePart } from './builder/SidePart.tsx'
import { useMeasured } from './builder/useMeasured.ts'
import { catalogQuery, quoteQuery, useAddPhoto, useQuoteVerb } from './data.ts'
import { SendDialog } from './QuoteDialogs.tsx'
import './quotes.css'
import { AddService } from './builder/AddService.tsx'
import './builder/builder.css'

const QuotePreview = lazyPart(() => import('../viewer/web/QuotePreview.tsx').then((m) => m.QuotePreview))

const PhotosPart = ({
  photos,
  onAdd,
  onRemove,
}: {
  photos: { id: string; url: string }[]
  onAdd: (photo: { id: string; url: string }) => void
  onRemove: (id: string) => void
}) => {
  const add = useAddPhoto()
  const [error, setError] = useState<string | undefined>()
  const take = async (files: readonly File[]) => {
    setError(undefined)
    try {
      for (const file of files.slice(0, most.photos - photos.length)) onAdd(await add.mutateAsync(file))
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : 'This picture could not be taken.')
    }
  }
  return (
    <Card title="Photos" hint="The customer sees them" as="section">
      {photos.length > 0 ? (
        <ul className="qt-photos">
          {photos.map(({ id, url }, at) => (
            <li key={id}>
              <img src={url} alt={`Nr. ${at + 1} of this quote`} />
              <IconButton label={`Remove photo ${at + 1}`} icon={<IconTrash />} onClick={() => onRemove(id)} />
            </li>
          ))}
        </ul>
      ) : null}
      {photos.length < most.photos ? (
        <FileDrop
          label={add.isPending ? 'Adding…' : 'Add photos'}
          accept="image/*"
          multiple
          onFiles={(files) => void take([...files])}
          {...(error ? { error } : {})}
        />
      ) : null}
    </Card>
  )
}

/** What a person typed and did not save, with what it was typed over. */
type Begun = { draft: Draft; saved: QuoteRecord; photos: QuoteRecord['photos'] }
const workId = (id: string): string => `quote ${id}`

const Builder = ({ quote, services }: { quote: QuoteRecord; services: readonly ServiceRecord[] }) => {
  const navigate = useNavigate()
  const today = useToday()
  const business = useQuery(businessQuery)
  const [kept] = useState(() => keptWork<Begun>(workId(quote.id)))
  const [isBack, setIsBack] = useState(kept !== null)
  const [draft, setDraft] = useState<Draft>(() => kept?.draft ?? draftOf(quote))
  // what was begun is saved over the version that it was begun on: what others changed since is told, not lost
  const [saved, setSaved] = useState<QuoteRecord>(kept?.saved ?? quote)
  const [photos, setPhotos] = useState(kept?.photos ?? quote.photos)
  const [openId, setOpenId] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const [looking, setLooking] = useState(false)
  const update = useQuoteVerb('update')
  const programs = useQuery(programsQuery)
  const season = business.data ? seasonDays(business.data.seasonStart, business.data.seasonEnd) : 225
  const tax = quote.tax as QuoteTaxes
  const { content } = draft
  const { place } = quote
  const isDirty = !isSame(draft, draftOf(saved))
  useKeptWork<Begun>(workId(quote.id), isDirty ? { draft, saved, photos } : null)
  const startOver = () => {
    setDraft(draftOf(quote))
    setSaved(quote)
    setPhotos(quote.photos)
    setIsBack(false)
  }
  const set = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const setContent = (part: Partial<Draft['content']>) =>
    setDraft((now) => ({ ...now, content: { ...now.content, ...part } }))
  const setLines = (work: (lines: QuoteLine[]) => QuoteLine[]) => setContent({ lines: work([...content.lines]) })
  const save = async (): Promise<QuoteRecord | null> => {
    try {
      const next = await update.mutateAsync({
        params: { id: quote.id },
        body: { ...draft, version: saved.version },
      })
      setSaved(next)
      setDraft(draftOf(next))
      return next
    } catch (error) {
      // what is wrong with a field is said above the work, in its own words
      if (!(error instanceof ApiError && error.errors?.length)) toast.error(error)
      return null
    }
  }
  useMeasured(place, (measured) =>
    setDraft((now) => ({
      ...now,
      content: { ...now.content, lines: measuredLines(now.content.lines, services, measured, season) },
    })),
  )
  const add = (id: string) => {
    const service = services.find((one) => one.id === id)
    if (!service) return
    const line = lineFor(service, place, season)
    setLines((lines) => [...lines, line])
    setOpenId(line.id)
  }
  const addProgram = (id: string) => {
    const program = programs.data?.find((one) => one.id === id)
    if (!program) return
    const thisYear = Number(today.slice(0, 4))
    const inYear = (year: number) => programLines(program, services, place, { year, today })
    const rounds = inYear(thisYear)
    setLines((lines) => [
      ...lines.filter(({ round }) => round?.programId !== id),
      ...(rounds.length > 0 ? rounds : inYear(thisYear + 1)),
    ])
  }
  const move = (at: number, step: -1 | 1) =>
    setLines((lines) => {
      const [line] = lines.splice(at, 1)
      if (line) lines.splice(Math.max(0, at + step), 0, line)
      return lines
    })
  const problem = update.error instanceof ApiError ? (update.error.errors?.[0]?.message ?? null) : null
  const changed = update.error instanceof ApiError && update.error.code === 'version_conflict'
  return (
    <>
      <PageHeader
        title={`${quoteName(quote.number)}${quote.revision > 1 ? `, version ${quote.revision}` : ''}`}
        sub={`${quote.customer.name}, ${quote.property.street}`}
        back={{ href: linkTo.quote(quote.id), label: 'Quotes' }}
        actions={
          <>
            <span className="hint" role="status">
              {update.isPending ? 'Saving…' : isDirty ? 'Not saved' : 'Saved'}
            </span>
            <KeepTemplate
              quoteId={quote.id}
              name={draft.title}
              before={async () => (isDirty ? (await save()) !== null : true)}
            />
            <Button
              icon={<IconEye />}
              disabled={update.isPending}
              onClick={() => void (isDirty ? save() : Promise.resolve(saved)).then((next) => next && setLooking(true))}
            >
              As the customer sees it
            </Button>
            <Button
              calls={quotesApi.update}
              icon={<IconCheck />}
              loading={update.isPending}
              disabled={!isDirty}
              onClick={() => void save()}
            >
              Save
            </Button>
            <Button
              calls={quotesApi.send}
              kind="primary"
              icon={<IconSend />}
              onClick={() => void (isDirty ? save() : Promise.resolve(saved)).then((next) => next && setSending(true))}
            >
              Send
            </Button>
          </>
        }
      />
      {isBack && isDirty ? (
        <Banner
          tone="info"
          title="What you had not saved is here again."
          action={
            <Button size="s" onClick={startOver}>
              Back to what is saved
            </Button>
          }
        />
      ) : null}
      {problem ? <Banner tone="error">{problem}</Banner> : null}
      {changed ? (
        <Banner
          tone="warn"
          action={
            <Button size="s" onClick={() => window.location.reload()}>
              Load what is saved
            </Button>
          }
        >
          Somebody changed this quote meanwhile. What you typed is still here: copy what you need, then load it.
        </Banner>
      ) : null}
      <div className="qb">
        <div className="qb-main">
          <Card title="The work" as="section">
            <TextField label="Title" value={draft.title} onChange={(title) => set({ title })} maxLength={160} />
            <ul className="qb-lines">
              {content.lines.map((line, at) => (
                <LineRow
                  key={line.id}
                  line={line}
                  service={services.find(({ id }) => id === line.serviceId)}
                  packages={content.packages}
                  season={season}
                  place={place}
                  measure={{ customerId: quote.customer.id, propertyId: quote.property.id }}
                  isOpen={openId === line.id}
                  onOpen={(open) => setOpenId(open ? line.id : null)}
                  onChange={(next) => setLines((lines) => lines.map((one) => (one.id === next.id ? next : one)))}
                  onRemove={() => setLines((lines) => lines.filter((one) => one.id !== line.id))}
                  onMove={(step) => move(at, step)}
                />
              ))}
            </ul>
            {content.lines.length === 0 ? <p className="hint">Nothing yet. Add the first service below.</p> : null}
            <AddService services={services} onAdd={add} />
            {programs.isError ? (
              <ErrorState
                compact
                error={programs.error}
                title="We could not load the programs"
                onRetry={() => void programs.refetch()}
                retrying={programs.isFetching}
              />
            ) : null}
            {programs.data && programs.data.length > 0 ? (
              <SelectField
                label="Add the rounds of a program"
                value=""
                placeholder="Choose a program"
                onChange={addProgram}
                options={programs.data.map(({ id, name, steps }) => ({
                  value: id,
                  label: `${name}, ${steps.length} ${steps.length === 1 ? 'round' : 'rounds'}`,
                }))}
              />
            ) : null}
          </Card>
          <Card title="Packages" hint="Good, better, best" as="section">
            <PackagesPart content={content} tax={tax} onChange={(next) => set({ content: next })} />
          </Card>
          <Card title="Words and terms" as="section">
            <div className="qt-form">
              <TextAreaField
                label="Message"
                optional
                rows={3}
                value={content.message}
                onChange={(message) => setContent({ message })}
                maxLength={2000}
              />
              <TextAreaField
                label="Terms"
                optional
                rows={4}
                value={content.terms}
                onChange={(terms) => setContent({ terms })}
                maxLength={8000}
                hint="Signed with the quote, word for word."
              />
              <TextAreaField
                label="Notes of the office"
                optional
                rows={2}
                value={draft.note}
                onChange={(note) => set({ note })}
                maxLength={4000}
                hint="The customer never sees them."
              />
            </div>
          </Card>
        </div>
        <aside className="qb-side" aria-label="Sums and settings">
          <SidePart content={content} tax={tax} laborCents={quote.laborCents} />
          <AreasPart quote={quote} />
          <DayPart quoteId={quote.id} value={content.day ?? null} onChange={(day) => setContent({ day })} />
          <Card title="Discount, deposit, day" as="section">
            <div className="qt-form">
              <SharePart
                label="Discount"
                value={content.discount}
                onChange={(discount) => setContent({ discount })}
                {...(content.discount.kind === 'amount' ? { hint: 'Dollars come off what is done once.' } : {})}
              />
              <SharePart label="Deposit" value={content.deposit} onChange={(deposit) => setContent({ deposit })} />
              {content.deposit && quote && !quote.takesCards ? (
                <p className="hint">
                  You do not take cards yet: whoever signs is told to come to you for the deposit, and you record it
                  when it arrives.
                </p>
              ) : null}
              <NumberField
                label="Less for paying all of it ahead"
                optional
                unit="%"
                min={0}
                max={50}
                step={0.5}
                value={content.prepayPercent ? content.prepayPercent / 100 : null}
                onChange={(percent) => setContent({ prepayPercent: Math.round((percent ?? 0) * 100) })}
              />
              <DateField
                label="Good until"
                optional
                value={draft.validUntil}
                onChange={(validUntil) => set({ validUntil })}
                today={today}
              />
            </div>
          </Card>
          <PhotosPart
            photos={photos}
            onAdd={(photo) => {
              setPhotos((now) => [...now, photo])
              setDraft((now) => ({
                ...now,
                content: { ...now.content, photoIds: [...now.content.photoIds, photo.id] },
              }))
            }}
            onRemove={(id) => {
              setPhotos((now) => now.filter((photo) => photo.id !== id))
              setContent({ photoIds: content.photoIds.filter((one) => one !== id) })
            }}
          />
        </aside>
      </div>
      {looking ? <QuotePreview quote={saved} onClose={() => setLooking(false)} /> : null}
      {sending ? (
        <SendDialog
          quote={saved}
          open
          onClose={() => setSending(false)}
          onSent={() => {
            setSending(false)
            void navigate(linkTo.quote(quote.id))
          }}
        />
      ) : null}
    </>
  )
}

/** The full-screen builder: measured areas, prices by the book, packages, and what is left of it while it is built. */
export const QuoteBuilderScreen = () => {
  const [params] = useSearchParams()
  const id = params.get(recordParam.quote) ?? ''
  const found = useQuery({ ...quoteQuery(id), enabled: id !== '' })
  const catalog = useQuery(catalogQuery)
  const user = useUser()
  if (id === '')
    return (
      <>
        <PageHeader title="Quote builder" sub="Begin with a customer and a property." />
        <Card>
          <EmptyState
            picture="unmowed"
            title="Whom is it for?"
            action={
              <Button kind="primary" href={linkTo.newQuote()}>
                New quote
              </Button>
            }
          >
            Choose a customer and a property first; then the builder prices the work there.
          </EmptyState>
        </Card>
      </>
    )
  const error = found.error ?? catalog.error
  if (error)
    return (
      <ErrorState
        error={error}
        title="We could not load the quote"
        onRetry={() => {
          void found.refetch()
          void catalog.refetch()
        }}
        retrying={found.isFetching}
      />
    )
  if (!found.data || !catalog.data) return <PanelSkeleton />
  if (!found.data.can.edit)
    return (
      <>
        <PageHeader title={quoteName(found.data.number)} back={{ href: linkTo.quote(id), label: 'Quotes' }} />
        <Card>
          <EmptyState
            picture="mowed"
            title="It is not a draft"
            action={
              <Button kind="primary" href={linkTo.quote(id)}>
                Open the quote
              </Button>
            }
          >
            What was sent stays as it is over {formatCents(found.data.totalCents)}. Begin a new version there to change
            it.
          </EmptyState>
        </Card>
      </>
    )
  keepDraftsOf(user._id)
  return <Builder key={id} quote={found.data} services={catalog.data.items} />
}
