import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { linkTo } from '../../../../shared/links.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FormActions } from '../../../../ui/FormActions.tsx'
import { IconArchive, IconPencil } from '../../../../ui/icons.ts'
import { lazyPart } from '../../../../ui/lazyAhead.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { CardSkeleton } from '../../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../../ui/TextAreaField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { quotesApi } from '../../contract.ts'
import '../../web/quotes.css'
import { type QuoteTemplate, quoteTemplatesApi } from '../contract.ts'
import { templatesQuery, useArchiveTemplate, useUpdateTemplate } from './data.ts'

const EditLines = lazyPart(() => import('./EditLines.tsx').then((m) => m.EditLines))

const Words = ({ template, onClose }: { template: QuoteTemplate; onClose: () => void }) => {
  const [name, setName] = useState(template.name)
  const [message, setMessage] = useState(template.content.message)
  const [terms, setTerms] = useState(template.content.terms)
  const update = useUpdateTemplate()
  const submit = async () => {
    await update.mutateAsync({
      params: { id: template.id },
      body: { name, message, terms, version: template.version },
    })
    toast.success(`${name} is saved`)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={template.name} size="l" closeOnOutside={false}>
      <div className="qt-form">
        <TextField label="Name" value={name} onChange={setName} maxLength={120} />
        <TextAreaField label="Message" optional rows={3} value={message} onChange={setMessage} maxLength={2000} />
        <TextAreaField label="Terms" optional rows={6} value={terms} onChange={setTerms} maxLength={8000} />
        {update.error ? <Banner tone="error">{update.error.message}</Banner> : null}
        <FormActions>
          <Button
            calls={quoteTemplatesApi.update}
            kind="primary"
            loading={update.isPending}
            disabled={name.trim() === ''}
            onClick={() => void submit().catch(() => undefined)}
          >
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </div>
    </Dialog>
  )
}

const Row = ({ template, onEdit, onLines }: { template: QuoteTemplate; onEdit: () => void; onLines: () => void }) => {
  const archive = useArchiveTemplate()
  const { lines, packages, terms } = template.content
  return (
    <li>
      <span>
        <b>{template.name}</b>
        <span className="hint">
          {[
            lines.length === 0 ? 'no lines' : lines.map(({ name }) => name).join(', '),
            packages.length > 0 ? packages.map(({ name }) => name).join(' / ') : null,
            terms ? 'with terms' : null,
            `${template.quoteCount.toLocaleString('en-US')} ${template.quoteCount === 1 ? 'quote' : 'quotes'} made from it`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="qt-actions">
        <Button size="s" calls={quoteTemplatesApi.update} icon={<IconPencil />} onClick={onEdit}>
          Words
        </Button>
        <Button size="s" calls={quoteTemplatesApi.update} icon={<IconPencil />} onClick={onLines}>
          Lines
        </Button>
        <Button
          size="s"
          kind="quiet"
          calls={quoteTemplatesApi.archive}
          icon={<IconArchive />}
          loading={archive.isPending}
          onClick={() =>
            void archive
              .mutateAsync({ params: { id: template.id }, body: { version: template.version } })
              .then(() => toast.success(`${template.name} is archived`))
              .catch(toast.error)
          }
        >
          Archive
        </Button>
      </span>
    </li>
  )
}

/** What is quoted again and again: lines, packages, words and terms under a name. */
export const TemplatesTab = () => {
  const found = useQuery(templatesQuery)
  const may = useMay()
  const [editing, setEditing] = useState<QuoteTemplate | null>(null)
  const [lines, setLines] = useState<QuoteTemplate | null>(null)
  return (
    <>
      <PageHeader
        title="Templates"
        sub="Keep any quote as a template from its builder; a new quote takes it and prices it for its own lawn."
        actions={
          may(quotesApi.create) ? (
            <Button kind="primary" href={linkTo.newQuote()}>
              New quote
            </Button>
          ) : null
        }
      />
      {found.isError ? (
        <ErrorState error={found.error} title="We could not load the templates" onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <CardSkeleton />
      ) : found.data.length === 0 ? (
        <Card>
          <EmptyState
            picture="unmowed"
            title="No templates yet"
            action={<Button href={linkTo.quotes()}>Open the quotes</Button>}
          >
            Build a quote the way you like it, then choose “Keep as a template” in its builder.
          </EmptyState>
        </Card>
      ) : (
        <Card>
          <ul className="qt-lines qt-templates">
            {found.data.map((template) => (
              <Row
                key={template.id}
                template={template}
                onEdit={() => setEditing(template)}
                onLines={() => setLines(template)}
              />
            ))}
          </ul>
        </Card>
      )}
      {lines ? <EditLines template={lines} onClose={() => setLines(null)} /> : null}
      {editing ? <Words template={editing} onClose={() => setEditing(null)} /> : null}
    </>
  )
}
