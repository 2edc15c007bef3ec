import { ApiProblems, ProblemValidationPipe } from '@laurel/activity/http';
import { Body, Controller, HttpCode, Ip, Post, Req, UsePipes } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SignedIn } from '../identity/signed-in';
import { Tokens } from '../identity/tokens';
import { SignInThrottle } from '../throttling/sign-in-throttle';
import { Credentials, Registration } from './auth.dto';
import { Session } from './auth.responses';
import { AuthService } from './auth.service';

/** Registering, signing in and out. */
@ApiTags('auth')
@ApiProblems(400, 429, 503)
@Controller('auth')
@UsePipes(ProblemValidationPipe)
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly throttle: SignInThrottle,
    private readonly tokens: Tokens,
  ) {}

  @Post('register')
  @ApiOperation({ summary: 'Registers a user and signs them in.' })
  @ApiCreatedResponse({ type: Session })
  @ApiProblems(409)
  async register(@Body() body: Registration, @Ip() address: string): Promise<Session> {
    await this.throttle.countAddress(address);
    return this.auth.register(body);
  }

  @Post('login')
  @HttpCode(200)
  @ApiOperation({ summary: 'Signs a user in.', description: 'A refusal does not say which part was wrong.' })
  @ApiOkResponse({ type: Session })
  @ApiProblems(401)
  async login(@Body() body: Credentials, @Ip() address: string): Promise<Session> {
    await this.throttle.countAddress(address);
    return this.auth.login(body);
  }

  @Post('logout')
  @HttpCode(204)
  @SignedIn()
  @ApiOperation({ summary: 'Signs a user out: the token is worth nothing from now on.' })
  @ApiNoContentResponse()
  logout(@Req() { headers }: FastifyRequest): Promise<void> {
    return this.tokens.end(headers.authorization ?? '');
  }
}
