import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../shared/client.ts'
import { linkTo } from '../../../shared/links.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { FileDrop } from '../../../ui/FileDrop.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { type ImportRecord, maxFileBytes } from '../contract.ts'
import { importsQuery, useUpload } from './data.ts'
import { NotAList, readList } from './readFile.ts'

const states: Record<ImportRecord['status'], [Tone, string]> = {
  uploaded: ['wait', 'Columns to match'],
  checking: ['wait', 'Being checked'],
  checked: ['wait', 'Ready to import'],
  running: ['now', 'Running'],
  done: ['done', 'Imported'],
  undoing: ['now', 'Being undone'],
  undone: ['neutral', 'Undone'],
  failed: ['late', 'Stopped'],
}

const Earlier = () => {
  const list = useQuery(importsQuery)
  if (!list.data || list.data.items.length === 0) return null
  return (
    <Card title="Earlier imports" hint="open one to go on or to undo it" flush>
      <ul className="import-list">
        {list.data.items.map((item) => (
          <li key={item.id}>
            <span>
              <LinkTo href={linkTo.import(item.id)}>{item.fileName}</LinkTo>
              <span className="hint">
                {' '}
                {item.rowCount.toLocaleString('en-US')} rows · <RelativeTime at={item.createdAt} />
                {item.createdByName ? ` · ${item.createdByName}` : ''}
              </span>
            </span>
            <Badge tone={states[item.status][0]}>{states[item.status][1]}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export const UploadStep = ({ onUploaded }: { onUploaded: (id: string) => void }) => {
  const upload = useUpload()
  const [problem, setProblem] = useState<string | undefined>()
  const [reading, setReading] = useState<string | null>(null)
  const take = async (file: File | undefined) => {
    if (!file) return
    setProblem(undefined)
    setReading(file.name)
    try {
      const text = await readList(new Uint8Array(await file.arrayBuffer()))
      const made = await upload.mutateAsync({ fileName: file.name.slice(0, 200), text })
      onUploaded(made.id)
    } catch (error) {
      setProblem(
        error instanceof NotAList
          ? error.message
          : error instanceof ApiError
            ? (error.errors[0]?.message ?? error.message)
            : 'We could not read this file. Nothing was saved; export it as CSV and try again.',
      )
    } finally {
      setReading(null)
    }
  }
  return (
    <div className="import-upload">
      {reading ? (
        <div className="import-reading" role="status">
          <Spinner size={22} /> Reading {reading}…
        </div>
      ) : (
        <FileDrop
          label="Drop your customer list here, or choose it"
          hint="Excel (.xlsx) or CSV, up to 20 MB and 50,000 rows. Columns in any order."
          accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
          maxBytes={maxFileBytes}
          onFiles={([file]) => void take(file)}
          error={problem}
        />
      )}
      <div className="import-tips">
        <section>
          <h2>What it needs</h2>
          <p className="muted">
            A name and a street. Phone, e-mail, lawn size, gate code, notes, jobs with how often they come back and open
            balances come along when the file has them.
          </p>
        </section>
        <section>
          <h2>From another program</h2>
          <p className="muted">
            Bring the exported list as it is: Jobber, LawnPro, Yardbook, Service Autopilot, QuickBooks and Housecall Pro
            are known. Any other file you match by hand once, and it is remembered.
          </p>
        </section>
        <section>
          <h2>Customers first, then jobs</h2>
          <p className="muted">
            A second file with the jobs finds the customers again by their number, e-mail, phone, address or name. Rows
            of one person become one customer with several properties.
          </p>
        </section>
      </div>
      <Earlier />
    </div>
  )
}
