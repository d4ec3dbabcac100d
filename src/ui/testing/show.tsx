import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement, ReactNode } from 'react'
import { configureClient } from '#src/shared/client.ts'
import { ThemeProvider } from '../theme/ThemeProvider.tsx'

const around = (client: QueryClient, children: ReactNode) => (
  <QueryClientProvider client={client}>
    {/* A test sees no fading, and what looks for the first item of a menu that is not shown yet complains. */}
    <ThemeProvider atOnce>{children}</ThemeProvider>
  </QueryClientProvider>
)

/** A part of a screen with what every screen has around it. `user` types and clicks as a person does; `client` holds what was asked for. */
export const show = (part: ReactElement) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })
  return { client, user: userEvent.setup(), ...render(part, { wrapper: ({ children }) => around(client, children) }) }
}

type Answer = { status?: number; body: unknown }

/** Stands where the network is: every request gets the answer of `server`, at once and without a second try. Returns what was asked, in order. */
export const answerWith = (server: (request: Request) => Answer | Promise<Answer>): string[] => {
  const asked: string[] = []
  configureClient({
    baseUrl: 'http://swath.test',
    retries: 0,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      asked.push(`${request.method} ${new URL(request.url).pathname}`)
      const { status = 200, body } = await server(request)
      return Response.json(body, { status })
    },
  })
  return asked
}
