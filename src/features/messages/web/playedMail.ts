import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { localMailApi } from '../../../local/mail/contract.ts'
import { call } from '../../../shared/client.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'

export const mailAddressesQuery = (answers: string | null) =>
  queryOptions({
    queryKey: ['local', 'mail', answers],
    queryFn: ({ signal }) =>
      call(localMailApi.addresses, { query: answers ? { answers } : {} }, { signal, retries: 1 }),
    // what is typed from it is not to change under one's hands
    staleTime: Infinity,
  })

type PlayedMail = Omit<BodyOf<typeof localMailApi.send>, 'files'> & { files: readonly File[] }

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read any more. Choose it again.`))
    reader.readAsDataURL(file)
  })

/** Hands a mail over as the mail server would. */
export const useHandOver = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ files, ...mail }: PlayedMail) =>
      call(localMailApi.send, {
        body: {
          ...mail,
          files: await Promise.all(
            files.map(async (file) => ({
              name: file.name.slice(0, 120),
              mime: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
              base64: await base64Of(file),
            })),
          ),
        },
      }),
    onSettled: () => setTimeout(() => client.invalidateQueries({ queryKey: ['local'] }), 600),
  })
}
