import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call, fetchFile } from '../../../../shared/client.ts'
import { type Day, formatDay } from '../../../../shared/dates.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../../ui/FieldGrid.tsx'
import { FileDrop } from '../../../../ui/FileDrop.tsx'
import { Form } from '../../../../ui/Form.tsx'
import { FormField } from '../../../../ui/FormField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { saveFile } from '../../../../ui/saveFile.ts'
import { TextField } from '../../../../ui/TextField.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useIdempotentMutation } from '../../../../ui/useIdempotentMutation.ts'
import { useMay } from '../../../accounts/web/session.ts'
import type { Employee } from '../../contract.ts'
import { documentsApi, type PersonDocument } from '../contract.ts'
import {
  type DocumentKind,
  documentKeptDays,
  documentKinds,
  documentLabel,
  documentState,
  documentTitle,
  largestDocument,
} from '../rules.ts'

const documentsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['crews', 'documents', userId],
    queryFn: ({ signal }) => call(documentsApi.list, { params: { id: userId } }, { signal }),
  })

type Values = { kind: DocumentKind; name: string; expiresOn: Day | null }
const kindOptions = documentKinds.map((value) => ({ value, label: documentLabel[value] }))

const useDocuments = (userId: string) => {
  const client = useQueryClient()
  const onSettled = () => {
    for (const topic of ['crews', 'dashboard']) void client.invalidateQueries({ queryKey: [topic] })
  }
  const add = useMutation({
    onSettled,
    mutationFn: ({ file, documentId, kind, name, expiresOn }: Values & { file: File; documentId: string }) =>
      call(documentsApi.add, {
        params: { id: userId },
        query: { documentId, kind, ...(name ? { name } : {}), ...(expiresOn ? { expiresOn } : {}) },
        body: file,
      }),
  })
  const change = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, ...body }: Values & { id: string; version: number }, key) =>
      call(documentsApi.update, { params: { id }, body }, { idempotencyKey: key }),
  })
  const keep = useIdempotentMutation({
    onSettled,
    mutationFn: ({ id, version, verb }: { id: string; version: number; verb: 'remove' | 'restore' }, key) =>
      call(documentsApi[verb], { params: { id }, body: { version } }, { idempotencyKey: key }),
  })
  return { add, change, keep }
}

const Validity = ({ expiresOn, today }: { expiresOn: Day | null; today: Day }) => {
  const state = documentState(expiresOn, today)
  if (expiresOn === null || state === 'endless') return null
  return (
    <Badge tone={state === 'expired' ? 'late' : state === 'ending' ? 'wait' : 'done'}>
      {state === 'expired' ? 'expired' : 'to'} {formatDay(expiresOn, { year: true })}
    </Badge>
  )
}

type EditorProps = { person: Employee; document: PersonDocument | null; today: Day; onDone: () => void }

const Editor = ({ person, document, today, onDone }: EditorProps) => {
  const { add, change, keep } = useDocuments(person.id)
  const [file, setFile] = useState<File | null>(null)
  // one id for what was chosen, so that a try that was cut off and its repeat are one document
  const [documentId, setDocumentId] = useState(() => crypto.randomUUID())
  const [lacksFile, setLacksFile] = useState(false)
  const form = useForm<Values>({
    defaultValues: {
      kind: document?.kind ?? 'i9',
      name: document?.name ?? '',
      expiresOn: document?.expiresOn ?? null,
    },
  })
  const submit = async (values: Values) => {
    if (document) {
      await change.mutateAsync({ ...values, id: document.id, version: document.version })
      toast.success('Document saved')
    } else {
      if (!file) return setLacksFile(true)
      await add.mutateAsync({ ...values, file, documentId })
      toast.success(`${documentTitle(values)} of ${person.name} is on file`)
    }
    onDone()
  }
  const remove = async () => {
    if (!document) return
    try {
      const gone = await keep.mutateAsync({ id: document.id, version: document.version, verb: 'remove' })
      onDone()
      toast.undo(`${documentTitle(gone)} is off; it is deleted in ${documentKeptDays} days`, () =>
        keep.mutateAsync({ id: gone.id, version: gone.version, verb: 'restore' }).catch(toast.error),
      )
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Form form={form} onSubmit={submit} label={document ? 'Change the document' : 'New document'}>
      <div className="crewdays__form">
        <FieldGrid min={150}>
          <FormField control={form.control} name="kind">
            {(f) => <SelectField label="Kind" options={kindOptions} {...f} />}
          </FormField>
          <FormField control={form.control} name="name">
            {(f) => <TextField label="Called" optional maxLength={80} {...f} />}
          </FormField>
          <FormField control={form.control} name="expiresOn">
            {(f) => <DateField label="Last valid day" optional today={today} {...f} />}
          </FormField>
        </FieldGrid>
        {document ? null : (
          <FileDrop
            label={file ? file.name : 'The document'}
            hint="PDF or picture, 10 MB at most. Kept encrypted."
            accept="application/pdf,image/jpeg,image/png,image/webp"
            maxBytes={largestDocument}
            error={lacksFile ? 'Choose the file.' : undefined}
            onFiles={([one]) => {
              setFile(one ?? null)
              setDocumentId(crypto.randomUUID())
              setLacksFile(false)
            }}
          />
        )}
        <div className="people-signin__actions">
          <Button type="submit" kind="primary" size="s" loading={form.formState.isSubmitting}>
            {document ? 'Save the document' : 'Put on file'}
          </Button>
          {document ? (
            <Button size="s" kind="danger" loading={keep.isPending} onClick={() => void remove()}>
              Take off
            </Button>
          ) : null}
          <Button size="s" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </div>
    </Form>
  )
}

const download = async (person: Employee, { id, ...document }: PersonDocument) => {
  try {
    const { blob, name } = await fetchFile(documentsApi.file, { params: { id } })
    saveFile(blob, name ?? `${person.name} ${documentTitle(document)}`)
  } catch (error) {
    toast.error(error)
  }
}

/** What the office keeps of a person: I-9, W-4, a driver's license, until when each is valid. */
export const Documents = ({ person }: { person: Employee }) => {
  const may = useMay()
  const mayRead = may(documentsApi.list)
  const found = useQuery({ ...documentsQuery(person.id), enabled: mayRead })
  const [editing, setEditing] = useState<string | null>(null)
  if (!mayRead) return null
  if (found.error && !found.data) return <ErrorState error={found.error} compact onRetry={() => void found.refetch()} />
  if (!found.data) return null
  const { items, today } = found.data
  const changes = person.can.update && may(documentsApi.update)
  const done = () => setEditing(null)
  return (
    <section className="crewdays" aria-labelledby={`documents-${person.id}`}>
      <h3 id={`documents-${person.id}`}>Documents</h3>
      {items.length > 0 ? (
        <ol>
          {items.map((document) =>
            editing === document.id ? (
              <li key={document.id}>
                <Editor person={person} document={document} today={today} onDone={done} />
              </li>
            ) : (
              <li key={document.id}>
                <b>{documentTitle(document)}</b>
                <Validity expiresOn={document.expiresOn} today={today} />
                <Button
                  size="s"
                  aria-label={`Download ${documentTitle(document)}`}
                  onClick={() => void download(person, document)}
                >
                  Download
                </Button>
                {changes ? (
                  <Button
                    size="s"
                    kind="quiet"
                    aria-label={`Change ${documentTitle(document)}`}
                    onClick={() => setEditing(document.id)}
                  >
                    Change
                  </Button>
                ) : null}
              </li>
            ),
          )}
        </ol>
      ) : editing === null ? (
        <p className="hint">None. What ends is told of 30 days ahead; who downloads one is written down.</p>
      ) : null}
      {editing === 'new' ? (
        <Editor person={person} document={null} today={today} onDone={done} />
      ) : changes && editing === null ? (
        <div className="people-signin__actions">
          <Button size="s" onClick={() => setEditing('new')}>
            Add a document
          </Button>
        </div>
      ) : null}
    </section>
  )
}
