import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { ComboboxField } from '../../../ui/ComboboxField.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { lazyPart } from '../../../ui/lazyAhead.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type BulkBody, facetsQuery, useBulk } from './data.ts'

type Props = {
  choice: BulkBody['choice']
  count: number
  archived: boolean
  onDone: () => void
  assign?: Assign | undefined
}

const MessageSeveral = lazyPart(() => import('../../mailings/web/MessageSeveral.tsx').then((m) => m.MessageSeveral))

/** What gives the recurring jobs of chosen customers a day and a crew; it comes from the jobs, which know of customers and not the other way. */
export type Assign = ComponentType<{
  choice: BulkBody['choice']
  count: number
  onClose: () => void
  onDone: () => void
}>

const people = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'customer' : 'customers'}`

/** Sources that a business is asked about before it has its own. */
const usualSources = ['Referral', 'Neighbor', 'Ad', 'Phone call', 'Website form', 'Business page']

type Were = { source: string; set: string; ids: string[] }[]

/** What takes an action back. */
const reverse = (action: BulkBody['action'], were: Were): BulkBody['action'] => {
  if (action.kind === 'source' || action.kind === 'sourceBack') return { kind: 'sourceBack', were }
  return action.kind === 'tag' || action.kind === 'untag'
    ? { kind: action.kind === 'tag' ? 'untag' : 'tag', tag: action.tag }
    : { kind: action.kind === 'archive' ? 'unarchive' : 'archive' }
}

const verbs = {
  tag: 'tagged',
  untag: 'untagged',
  archive: 'archived',
  unarchive: 'switched on',
  source: 'have another source',
  sourceBack: 'have their source back',
} as const

/** What can be done to the chosen customers together. */
export const BulkActions = ({ choice, count, archived, onDone, assign: Assign }: Props) => {
  const bulk = useBulk()
  const [asking, setAsking] = useState<
    'tag' | 'untag' | 'archive' | 'unarchive' | 'message' | 'source' | 'assign' | null
  >(null)
  const run = async (action: BulkBody['action']) => {
    const result = await bulk.mutateAsync({ choice, action })
    const verb = verbs[action.kind]
    if (result.skippedCount > 0) {
      const first = result.skipped[0]
      toast.message(
        `${people(result.changed)} ${verb}. ${result.skippedCount} stayed: ${first?.name} has ${first?.reason}${result.skippedCount > 1 ? ', and others too' : ''}.`,
      )
    } else if (result.changedIds && result.changed > 0) {
      const back = { choice: { ids: result.changedIds }, action: reverse(action, result.sourcesWere ?? []) }
      toast.undo(`${people(result.changed)} ${verb}`, () => bulk.mutate(back, { onError: toast.error }))
    } else if (result.changed === 0) toast.message('They were like that already. Nothing was changed.')
    else toast.success(`${people(result.changed)} ${verb}`)
    onDone()
  }
  const close = () => setAsking(null)
  return (
    <>
      {archived ? null : (
        <Button size="s" onClick={() => setAsking('message')}>
          Message
        </Button>
      )}
      {archived || !Assign ? null : (
        <Button size="s" onClick={() => setAsking('assign')}>
          Day and crew
        </Button>
      )}
      <Button size="s" onClick={() => setAsking('tag')}>
        Add tag
      </Button>
      <Button size="s" onClick={() => setAsking('untag')}>
        Remove tag
      </Button>
      <Button size="s" onClick={() => setAsking('source')}>
        Set source
      </Button>
      {archived ? (
        <Button size="s" onClick={() => setAsking('unarchive')}>
          Switch on
        </Button>
      ) : (
        <Button size="s" onClick={() => setAsking('archive')}>
          Archive
        </Button>
      )}
      {asking === 'assign' && Assign ? <Assign choice={choice} count={count} onClose={close} onDone={onDone} /> : null}
      {asking === 'message' ? <MessageSeveral choice={choice} onClose={close} onDone={onDone} /> : null}
      <TagDialog
        open={asking === 'tag' || asking === 'untag'}
        remove={asking === 'untag'}
        count={count}
        onClose={close}
        onTag={(tag) => run({ kind: asking === 'untag' ? 'untag' : 'tag', tag })}
      />
      <SourceDialog
        open={asking === 'source'}
        count={count}
        onClose={close}
        onSource={(source) => run({ kind: 'source', source })}
      />
      <ConfirmDialog
        open={asking === 'archive'}
        onClose={close}
        title={`Archive ${people(count)}?`}
        confirmLabel={`Archive ${people(count)}`}
        onConfirm={() => run({ kind: 'archive' })}
      >
        They leave the list and the map and no longer count toward your plan. Their history stays, and you can switch
        them on again. Customers with current jobs stay as they are.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'unarchive'}
        onClose={close}
        title={`Switch on ${people(count)}?`}
        confirmLabel={`Switch on ${people(count)}`}
        onConfirm={() => run({ kind: 'unarchive' })}
      >
        They come back to the list and the map and count toward your plan.
      </ConfirmDialog>
    </>
  )
}

type TagProps = {
  open: boolean
  remove: boolean
  count: number
  onClose: () => void
  onTag: (tag: string) => Promise<void>
}

const TagDialog = ({ open, remove, count, onClose, onTag }: TagProps) => {
  const facets = useQuery(facetsQuery)
  const form = useForm<{ tag: { value: string; label: string } | null }>({ defaultValues: { tag: null } })
  const tags = facets.data?.tags ?? []
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="s"
      title={remove ? `Remove a tag from ${people(count)}` : `Tag ${people(count)}`}
    >
      <Form
        form={form}
        onSubmit={async ({ tag }) => {
          if (!tag) return form.setError('tag', { message: 'Choose a tag.' })
          await onTag(tag.value)
          form.reset()
          onClose()
        }}
      >
        <FormField control={form.control} name="tag">
          {(field) => (
            <ComboboxField
              label="Tag"
              autoFocus
              placeholder={remove ? 'Choose a tag' : 'Choose or type a tag'}
              search={(text) =>
                tags
                  .filter((t) => t.value.toLowerCase().includes(text.toLowerCase()))
                  .map((t) => ({ value: t.value, label: t.value, hint: String(t.count) }))
              }
              emptyText={remove ? 'No such tag' : 'No such tag yet'}
              {...(remove
                ? {}
                : {
                    onCreate: (text: string) => {
                      // the field first puts back what was chosen before
                      setTimeout(() => form.setValue('tag', { value: text, label: text }, { shouldValidate: true }))
                    },
                  })}
              {...field}
            />
          )}
        </FormField>
        <FormActions>
          <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
            {remove ? `Remove from ${people(count)}` : `Tag ${people(count)}`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}

type SourceProps = { open: boolean; count: number; onClose: () => void; onSource: (source: string) => Promise<void> }

/** Where customers came from: analytics of new quotes read it. */
const SourceDialog = ({ open, count, onClose, onSource }: SourceProps) => {
  const facets = useQuery(facetsQuery)
  const form = useForm<{ source: { value: string; label: string } | null }>({ defaultValues: { source: null } })
  const used = facets.data?.sources ?? []
  const choices = [
    ...used.map(({ value, count: times }) => ({ value, label: value, hint: String(times) })),
    ...usualSources
      .filter((name) => !used.some(({ value }) => value === name))
      .map((name) => ({ value: name, label: name })),
  ]
  return (
    <Dialog open={open} onClose={onClose} size="s" title={`Where ${people(count)} came from`}>
      <Form
        form={form}
        onSubmit={async ({ source }) => {
          if (!source) return form.setError('source', { message: 'Choose a source.' })
          await onSource(source.value)
          form.reset()
          onClose()
        }}
      >
        <FormField control={form.control} name="source">
          {(field) => (
            <ComboboxField
              label="Source"
              autoFocus
              placeholder="Choose or type a source"
              search={(text) => choices.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))}
              emptyText="No such source yet"
              onCreate={(text: string) => {
                // the field first puts back what was chosen before
                setTimeout(() =>
                  form.setValue(
                    'source',
                    { value: text.slice(0, 60), label: text.slice(0, 60) },
                    { shouldValidate: true },
                  ),
                )
              }}
              {...field}
            />
          )}
        </FormField>
        <FormActions>
          <Button kind="primary" type="submit" loading={form.formState.isSubmitting}>
            {`Set for ${people(count)}`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
