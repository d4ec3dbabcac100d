import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { localMailApi } from '../../../local/mail/contract.ts'
import { mostPlayedBytes, mostPlayedFiles } from '../../../local/mail/contract.ts'
import { ApiError } from '../../../shared/client.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconArrowLeft, IconSend, IconX } from '../../../ui/icons.ts'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { mailAddressesQuery, useHandOver } from './playedMail.ts'

type Known = ResponseOf<typeof localMailApi.addresses>
type Fields = { from: string; fromName: string; to: string; subject: string; text: string }
const empty: Fields = { from: '', fromName: '', to: '', subject: '', text: '' }

/** What the server says of fields, by field. */
const wrongOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError
    ? Object.fromEntries((error.errors ?? []).map(({ path, message }) => [path.split('.')[0], message]))
    : {}

const Fill = ({ known, onClose }: { known: Known; onClose: () => void }) => {
  const [fields, setFields] = useState<Fields>({ ...empty, ...known.answer })
  const [files, setFiles] = useState<readonly File[]>([])
  const [nobodys, setNobodys] = useState(false)
  const over = useHandOver()
  const wrong = wrongOf(over.error)
  const field = (name: keyof Fields) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields((now) => ({ ...now, [name]: value })),
    error: wrong[name],
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    setNobodys(false)
    over.mutate(
      { ...fields, files },
      {
        onSuccess: ({ received }) => {
          if (!received) return setNobodys(true)
          toast.success('The mail came in')
          onClose()
        },
      },
    )
  }
  return (
    <form className="local-mail" onSubmit={send} noValidate aria-label="Mail to the business">
      {over.isError && Object.keys(wrong).length === 0 ? <Banner tone="error">{over.error.message}</Banner> : null}
      {nobodys ? (
        <Banner tone="error" title="Nobody took this mail">
          It is to none of the addresses of the business, or one that takes no mail like this. What you wrote is still
          here.
        </Banner>
      ) : null}
      <TextField label="From" placeholder="ana@home.example" inputMode="email" autoComplete="off" {...field('from')} />
      <TextField label="Name of the sender" optional autoComplete="off" {...field('fromName')} />
      <div className="local-mail__to">
        <TextField label="To" autoComplete="off" {...field('to')} />
        {known.answer ? null : (
          <div className="local-mail__known">
            {known.addresses.map(({ to, label }) => (
              <Button key={to} size="s" onClick={() => setFields((now) => ({ ...now, to }))}>
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <TextField label="Subject" autoComplete="off" {...field('subject')} />
      <TextAreaField label="Text" rows={6} {...field('text')} />
      <FileDrop
        label="Attach files"
        hint="Photos and PDFs are kept, at most 7 MB together"
        multiple
        maxBytes={mostPlayedBytes}
        onFiles={(chosen) => setFiles((now) => [...now, ...chosen].slice(0, mostPlayedFiles))}
        error={wrong.files}
      />
      {files.length > 0 ? (
        <ul className="local-mail__files">
          {files.map((file, at) => (
            <li key={`${file.name}-${file.lastModified}-${file.size}`}>
              {file.name}
              <IconButton
                label={`Take ${file.name} out`}
                icon={<IconX />}
                onClick={() => setFiles((now) => now.filter((_, other) => other !== at))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <FormActions>
        <Button kind="primary" type="submit" icon={<IconSend />} loading={over.isPending}>
          Hand it over
        </Button>
        <Button onClick={onClose}>Discard</Button>
      </FormActions>
    </form>
  )
}

/** Writes a mail as a customer or a shop would, and hands it over as the mail server would. */
export const LocalMailForm = ({ answers, onClose }: { answers: string | null; onClose: () => void }) => {
  const found = useQuery(mailAddressesQuery(answers))
  return (
    <>
      <header>
        <IconButton
          className="local-open__back"
          label="All messages"
          icon={<IconArrowLeft />}
          onClick={onClose}
          tooltip={false}
        />
        <div>
          <h2>{answers ? 'Reply as its reader' : 'A mail to the business'}</h2>
          <p className="hint">It comes in as it would from your mail server. Nothing leaves this computer.</p>
        </div>
      </header>
      {found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : !found.data ? (
        <PanelSkeleton />
      ) : answers && !found.data.answer ? (
        <EmptyState
          picture="none"
          title="Nobody reads answers to this mail"
          action={<Button onClick={onClose}>Back</Button>}
        >
          It is about an account, or to nobody whose record there is: an answer would go to a mailbox outside of Swath.
        </EmptyState>
      ) : (
        <Fill known={found.data} onClose={onClose} />
      )}
    </>
  )
}
